import { spine } from "../contract/spine.ts";
import { kubeCluster } from "./spine-clusters.ts";

spine(kubeCluster);
