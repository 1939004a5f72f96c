// Holds all ConfigMaps by client-node's informer, prints what that cost, and exits.
// node --expose-gc informer-program.ts KUBECONFIG
import { CoreV1Api, KubeConfig, makeInformer } from "@kubernetes/client-node";
import { printSyncCost } from "./sync-cost.ts";

const config = new KubeConfig();
config.loadFromFile(process.argv[2] ?? "");
const api = config.makeApiClient(CoreV1Api);
const informer = makeInformer(config, "/api/v1/configmaps", () =>
  api.listConfigMapForAllNamespaces(),
);
informer.on("error", (error: unknown) => {
  console.error(error);
  process.exit(1);
});

await printSyncCost(async () => {
  let added = 0;
  informer.on("add", () => {
    added += 1;
  });
  await informer.start();
  return added;
});
process.exit(0);
