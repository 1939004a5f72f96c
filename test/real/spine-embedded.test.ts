import { spine } from "../contract/spine.ts";
import { embeddedCluster } from "./spine-clusters.ts";

spine(embeddedCluster, { embedded: true });
