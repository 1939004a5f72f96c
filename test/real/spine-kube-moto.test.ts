import { spine } from "../contract/spine.ts";
import { MOTO_WAIT_SECONDS, startMoto } from "./moto.ts";
import { kubeCluster, withAws } from "./spine-clusters.ts";

spine(async () => withAws(await kubeCluster(), startMoto), {
  waitSeconds: MOTO_WAIT_SECONDS,
  fresh: false,
});
