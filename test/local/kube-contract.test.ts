import { kubeContract } from "../contract/kube/harness/kube-contract.ts";
import open from "../contract/kube/open-differences.json" with { type: "json" };
import { memoryPeer } from "./kube-peer.ts";

await kubeContract("the embedded API server", { start: async () => memoryPeer(), open });
