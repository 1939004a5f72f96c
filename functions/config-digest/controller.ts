import { ConfigMap, defineController } from "tidegate";

export const configDigestController = defineController({
  name: "config-digest",
  for: ConfigMap,
  labels: "digest.example.com/enabled",
  owns: [ConfigMap],
  maxConcurrentReconciles: 40,
  timeoutSeconds: 30,
});
