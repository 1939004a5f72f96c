import { spine } from "../contract/spine.ts";
import { startMiniStack } from "./ministack.ts";
import { embeddedCluster, withAws } from "./spine-clusters.ts";

spine(async (dataDir) => withAws(await embeddedCluster(dataDir), startMiniStack), { fresh: false });
