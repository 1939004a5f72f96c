import { spine } from "../contract/spine.ts";
import { MOTO_WAIT_SECONDS, startMoto } from "./moto.ts";
import { embeddedCluster, withAws } from "./spine-clusters.ts";

spine(async (dataDir) => withAws(await embeddedCluster(dataDir), startMoto), {
  waitSeconds: MOTO_WAIT_SECONDS,
  fresh: false,
  embedded: true,
});
