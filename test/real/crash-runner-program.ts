// Functions and what invokes them, in a process of its own: node crash-runner-program.ts NAME...
// The names are folders of crash-functions; where the servers are is in the environment.
import { join } from "node:path";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { DevAws } from "../../local/dev-aws.ts";
import { startDevFunction } from "../../local/dev-function.ts";
import { ensureQueues } from "../../local/dev-queues.ts";
import { readFunctionFolders } from "../../local/function-folder.ts";
import { systemClock } from "../../shared/clock.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { createDynamoRevisionStore } from "../../shared/queue/dynamo-revision-store.ts";
import { ensureTable } from "../../shared/queue/dynamo-table.ts";
import { createLogger } from "../../shared/telemetry/log.ts";

const names = new Set(process.argv.slice(2));
const env = process.env as Record<string, string>;
const { TIDEGATE_CLUSTER: cluster = "", TIDEGATE_TABLE: table = "" } = env;
const clock = systemClock;
const log = createLogger({ write: console.log, nowMs: clock.nowMs });
process.once("disconnect", () => process.exit(0));

const dynamo = createDynamoClient();
const revisions = createDynamoRevisionStore({ client: dynamo, tableName: table });
const sqs = new SQSClient({ requestHandler: { requestTimeout: 30_000 } });
const aws: Pick<DevAws, "sqs" | "env" | "revisions"> = { sqs, env: {}, revisions };
const context = {
  aws: aws as DevAws,
  clock,
  log,
  print: (source: string, line: string) => console.log(`${source}: ${line}`),
  env,
  dataDir: "",
  onQueueMade: async () => {},
};

await untilDone(() => ensureTable(dynamo, table, clock));
for (const folder of await readFunctionFolders(join(import.meta.dirname, "crash-functions"))) {
  if (!names.has(folder.name)) continue;
  const queues = await untilDone(() => ensureQueues(sqs, cluster, folder));
  const ensureQueue = () => ensureQueues(sqs, cluster, folder);
  startDevFunction(folder, queues, { revision: "1", context, ensureQueue });
  await untilDone(() => revisions.putRevision(cluster, folder.name, "1"));
}
console.log("ready");

/** The servers may be away, now or at any time. */
async function untilDone<T>(step: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await step();
    } catch (error) {
      log.warn("cannot reach a server yet", { error });
      await clock.sleep(200);
    }
  }
}
