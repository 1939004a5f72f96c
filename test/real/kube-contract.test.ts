import { httpPeer } from "../contract/kube/harness/http-peer.ts";
import { kubeContract } from "../contract/kube/harness/kube-contract.ts";
import { startKube } from "./kube-apiserver.ts";

await kubeContract("kube-apiserver", {
  record: process.env.RECORD !== undefined,
  start: async () => {
    const { url, ca, token, stop } = await startKube({
      deployments: false,
      progress: (line) => process.stderr.write(`${line}\n`),
    });
    return httpPeer({ url, ca, token, stop });
  },
});
