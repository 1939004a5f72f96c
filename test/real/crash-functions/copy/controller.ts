import { ConfigMap, defineController } from "tidegate";

/** With a finalizer, and runs short enough that a killed one comes back within a minute. */
export const copyController = defineController({
  name: "copy",
  for: ConfigMap,
  labels: { crash: "copy" },
  owns: [ConfigMap],
  finalizer: "crash.example.com/outside",
  maxConcurrentReconciles: 20,
  timeoutSeconds: 10,
});
