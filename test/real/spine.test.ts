import { spine } from "../contract/spine.ts";
import { startKube } from "./kube-apiserver.ts";
import { kubectl } from "./kubectl.ts";

spine(async () => {
  const kube = await startKube({ progress: (line) => process.stderr.write(`${line}\n`) });
  await kubectl(kube, "apply", "-f", "functions/website/crd.yaml");
  await kubectl(kube, "wait", "crd/websites.web.example.com", "--for=condition=Established");
  const { kill, restart, stop } = kube;
  return {
    kubectl: kube,
    args: ["--kubeconfig", kube.kubeconfigPath],
    outage: { kill, restart },
    stop,
  };
});
