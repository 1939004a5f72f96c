import "../../crash-tap.ts";
import { reconcileHandler, requireEnv } from "tidegate";
import { copyController } from "./controller.ts";
import { copyReconciler } from "./reconciler.ts";

const reconciler = copyReconciler({
  outside: requireEnv("CRASH_OUTSIDE"),
  random: () => Math.random(),
});

export const handler = reconcileHandler(copyController, reconciler);
