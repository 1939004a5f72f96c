import { kubeContract } from "../contract/kube/harness/kube-contract.ts";
import { memoryPeer } from "./kube-peer.ts";

await kubeContract("the embedded API server", { start: async () => memoryPeer() });
