import { reconcileHandler } from "tidegate";
import { configDigestController } from "./controller.ts";
import { configDigestReconciler } from "./reconciler.ts";

export const handler = reconcileHandler(configDigestController, configDigestReconciler);
