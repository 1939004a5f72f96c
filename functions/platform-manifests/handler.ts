// The function behind the custom resources of a platform: its objects in the cluster, and the guard
// before they go. CloudFormation asks it by way of Lambda, and it answers by itself.
import { systemClock } from "../../shared/clock.ts";
import { eksAccess } from "../../shared/kube/eks-access.ts";
import { createTransport } from "../../shared/kube/transport.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { createDynamoRevisionStore } from "../../shared/queue/dynamo-revision-store.ts";
import { createLogger } from "../../shared/telemetry/log.ts";
import { createAssetReader } from "./aws-asset.ts";
import type { CustomResourceEvent, Host } from "./custom-resource.ts";
import { handleRequest, type Invocation } from "./handle-request.ts";

/** Its role reads the assets' bucket, writes items of the table, and is an administrator of the cluster. */
export async function handler(event: CustomResourceEvent, invocation: Invocation): Promise<void> {
  host ??= hostOf(process.env.AWS_REGION ?? "");
  await handleRequest(event, host, invocation);
}

let host: Host | undefined;

function hostOf(region: string): Host {
  const clock = systemClock;
  const write = (line: string) => void process.stdout.write(`${line}\n`);
  const log = createLogger({ write, nowMs: clock.nowMs });
  const dynamo = createDynamoClient();
  const credentials = () => dynamo.config.credentials();
  return {
    clock,
    log,
    fetch,
    transportTo: ({ cluster, endpoint, certificateAuthorityData }) => {
      const at = { server: endpoint, certificateAuthorityData };
      const access = eksAccess({ ...at, clusterName: cluster, region, credentials, clock });
      return createTransport(access, { clock, log });
    },
    readAsset: createAssetReader({ region, credentials, fetch, clock }),
    putRevision: async ({ table, cluster, controller, revision }) => {
      const store = createDynamoRevisionStore({ client: dynamo, tableName: table });
      await store.putRevision(cluster, controller, revision);
    },
  };
}
