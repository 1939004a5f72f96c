import { reconcileHandler } from "tidegate";
import { guestbookController } from "./controller.ts";
import { guestbookReconciler } from "./reconciler.ts";

export const handler = reconcileHandler(guestbookController, guestbookReconciler);
