import { reconcileHandler } from "tidegate";
import { cronJobController } from "./controller.ts";
import { cronJobReconciler } from "./reconciler.ts";

export const handler = reconcileHandler(cronJobController, cronJobReconciler(Date.now));
