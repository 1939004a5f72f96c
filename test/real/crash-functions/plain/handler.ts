import "../../crash-tap.ts";
import { ConfigMap, reconcileHandler } from "tidegate";
import { plainController } from "./controller.ts";

export const handler = reconcileHandler(plainController, {
  async reconcile({ metadata, data }, { apply }) {
    const value = data?.value;
    if (value === undefined) return; // One that has no child: its deletion deletes nothing else.
    await apply(ConfigMap, { metadata: { name: `${metadata.name}.copy` }, data: { value } });
  },
});
