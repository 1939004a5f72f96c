import {
  ConfigMap,
  Deployment,
  defineController,
  generationChanged,
  Pod,
  use,
  watch,
} from "tidegate";
import { Guestbook } from "./resource.ts";

export const guestbookController = defineController({
  name: "guestbook",
  for: Guestbook,
  predicate: generationChanged,
  owns: [Deployment],
  watches: [watch(ConfigMap, { usedBy: (guestbook: Guestbook) => guestbook.spec.configMapName })],
  uses: [use(Pod, "list")],
});
