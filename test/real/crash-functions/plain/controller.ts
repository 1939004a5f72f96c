import { ConfigMap, defineController } from "tidegate";

/** Without a finalizer: an object that is deleted is one change, not two. */
export const plainController = defineController({
  name: "plain",
  for: ConfigMap,
  labels: { crash: "plain" },
  owns: [ConfigMap],
  timeoutSeconds: 10,
});
