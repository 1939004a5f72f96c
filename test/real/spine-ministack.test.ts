import { spine } from "../contract/spine.ts";
import { startMiniStack } from "./ministack.ts";
import { embeddedCluster, withAws } from "./spine-clusters.ts";

/** It hands messages to a poll whose client was killed; they are locked for six times the timeout, 180 s. */
const WAIT_SECONDS = 240;

spine(async (dataDir) => withAws(await embeddedCluster(dataDir), startMiniStack), {
  waitSeconds: WAIT_SECONDS,
  fresh: false,
  embedded: true,
});
