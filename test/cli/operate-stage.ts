import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { CommandContext } from "../../cli/command-context.ts";
import { crd } from "../../functions/website/resource.ts";
import { takeDataDir } from "../../local/dev-data.ts";
import { type DevPlace, DevPlaceFile } from "../../local/dev-place.ts";
import { ensureQueues, type QueueUrls } from "../../local/dev-queues.ts";
import { startDynamoDbServer } from "../../local/dynamodb-server.ts";
import { startEmbeddedCluster } from "../../local/kube/embedded-cluster.ts";
import { startSqsServer } from "../../local/sqs-server.ts";
import type { Key } from "../../shared/api/index.ts";
import { systemClock } from "../../shared/clock.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import { createDynamoLeaseStore } from "../../shared/lease/dynamo-lease-store.ts";
import type { LeaseStore } from "../../shared/lease/lease-store.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { createDynamoRecordStore } from "../../shared/queue/dynamo-record-store.ts";
import { createDynamoRevisionStore } from "../../shared/queue/dynamo-revision-store.ts";
import { ensureTable } from "../../shared/queue/dynamo-table.ts";
import type { RecordStore, RevisionStore } from "../../shared/queue/record-store.ts";
import { encodeRequest, uniqueCause } from "../../shared/queue/request-codec.ts";
import { createSqsClient } from "../../shared/queue/sqs-client.ts";
import { recordedLog } from "../support/recorded-log.ts";
import { type CliResult, runCli } from "./run-cli.ts";

const FUNCTIONS = join(import.meta.dirname, "../../functions");
const Definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
} as const;
const SHARED = { region: "us-east-1", credentials: { accessKeyId: "a", secretAccessKey: "b" } };
const MAPPING = {
  batchSize: 10,
  maximumConcurrency: 2,
  visibilityTimeoutSeconds: 60,
  maxReceiveCount: 50,
};

/** What a `tidegate dev` leaves for commands to find, without watcher and functions: nothing runs. */
export class OperateStage {
  declare readonly dataDir: string;
  declare readonly kube: KubeClient;
  declare readonly sqs: SQSClient;
  declare readonly store: RecordStore & RevisionStore;
  declare readonly leases: LeaseStore;
  declare readonly queues: Readonly<Record<"website" | "config-digest", QueueUrls>>;
  /** Where commands find it. */
  declare readonly place: DevPlaceFile;
  readonly #cleanUp: (() => unknown)[];

  private constructor(
    parts: Pick<OperateStage, "dataDir" | "kube" | "sqs" | "store" | "leases" | "queues" | "place">,
    cleanUp: (() => unknown)[],
  ) {
    Object.assign(this, parts);
    this.#cleanUp = cleanUp;
  }

  /** What was started is closed again where the rest does not start: else the tests would never end. */
  static async start(): Promise<OperateStage> {
    const cleanUp: (() => unknown)[] = [];
    try {
      return await OperateStage.#start(cleanUp);
    } catch (error) {
      await endAll(cleanUp);
      throw error;
    }
  }

  static async #start(cleanUp: (() => unknown)[]): Promise<OperateStage> {
    const dataDir = await mkdtemp(join(tmpdir(), "tidegate-operate-"));
    cleanUp.push(() => rm(dataDir, { recursive: true, force: true }));
    const { log } = recordedLog();
    cleanUp.push(await takeDataDir({ dataDir, fresh: false }));
    const cluster = await startEmbeddedCluster({ clock: systemClock, random: Math.random, log });
    cleanUp.push(() => cluster.close());
    const { transport } = cluster.api;
    const kube = createKubeClient(transport);
    await kube.create(Definition, "", crd());
    const accessFile = join(dataDir, "access.json");
    const { url: server, ca, token } = cluster;
    await writeFile(accessFile, JSON.stringify({ server, ca, token }));
    const queue = await startSqsServer({ clock: systemClock, newId: randomUUID, log });
    cleanUp.push(() => queue.close());
    const table = await startDynamoDbServer({});
    cleanUp.push(() => table.close());
    const client = createDynamoClient({ ...SHARED, endpoint: table.url });
    cleanUp.push(() => client.destroy());
    await ensureTable(client, "tidegate", systemClock);
    const sqs = createSqsClient({ ...SHARED, endpoint: queue.url });
    cleanUp.push(() => sqs.destroy());
    const records = { client, tableName: "tidegate", clock: systemClock, random: Math.random };
    const place: Omit<DevPlace, "controllers"> = {
      cluster: "local",
      table: "tidegate",
      region: SHARED.region,
      sqsEndpoint: queue.url,
      dynamoDbEndpoint: table.url,
      functionsDir: FUNCTIONS,
      watcherUrl: "http://127.0.0.1:1",
      accessFile,
    };
    const queuesOf = (name: string) => ensureQueues(sqs, "local", { name, mapping: MAPPING });
    const parts = {
      dataDir,
      kube,
      sqs,
      store: { ...createDynamoRecordStore(records), ...createDynamoRevisionStore(records) },
      leases: createDynamoLeaseStore({ client, tableName: "tidegate", cluster: "local" }),
      queues: {
        website: await queuesOf("website"),
        "config-digest": await queuesOf("config-digest"),
      },
      place: new DevPlaceFile(dataDir, place),
    };
    parts.place.update({ website: "running", "config-digest": "running" });
    return new OperateStage(parts, cleanUp);
  }

  /** Runs a command on this stage. */
  run(args: readonly string[], context: Partial<CommandContext> = {}): Promise<CliResult> {
    return runCli([...args, "--data", this.dataDir], context);
  }

  /** Runs it with `--output json`; resolves to what it answered. */
  async json<T>(...args: readonly string[]): Promise<T> {
    const { code, out, err } = await this.run([...args, "--output", "json"]);
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${err}`);
    return JSON.parse(out) as T;
  }

  /** Puts a request into a dead-letter queue, as a worker does that gives up. */
  async deadLetter(
    controller: "website" | "config-digest",
    key: Key,
    error?: string,
  ): Promise<void> {
    const request = { cluster: "local", controller, ...key, reason: "redrive" } as const;
    await this.sqs.send(
      new SendMessageCommand({
        QueueUrl: this.queues[controller].deadLetterQueueUrl,
        ...encodeRequest({ request, cause: uniqueCause(randomUUID) }),
        ...(error !== undefined && {
          MessageAttributes: { error: { DataType: "String", StringValue: error } },
        }),
      }),
    );
  }

  /** Puts text that is no request into a dead-letter queue. */
  async poison(QueueUrl: string, text: string): Promise<void> {
    const id = randomUUID();
    const message = { MessageBody: text, MessageGroupId: id, MessageDeduplicationId: id };
    await this.sqs.send(new SendMessageCommand({ QueueUrl, ...message }));
  }

  /** The requests that wait in a queue, which stay hidden. */
  async received(QueueUrl: string): Promise<readonly Record<string, unknown>[]> {
    const all: Message[] = [];
    for (;;) {
      const command = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 });
      const { Messages = [] } = await this.sqs.send(command);
      if (Messages.length === 0) break;
      all.push(...Messages);
    }
    return all.map(({ Body = "" }) => JSON.parse(Body) as Record<string, unknown>);
  }

  /** How many messages of a queue can be received. */
  async visible(QueueUrl: string): Promise<number> {
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] });
    const { Attributes } = await this.sqs.send(command);
    return Number(Attributes?.ApproximateNumberOfMessages);
  }

  /** How many messages of a queue there are, hidden ones too. */
  async held(QueueUrl: string): Promise<number> {
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] });
    const { Attributes } = await this.sqs.send(command);
    const hidden = Number(Attributes?.ApproximateNumberOfMessagesNotVisible);
    return hidden + (await this.visible(QueueUrl));
  }

  async close(): Promise<void> {
    await endAll(this.#cleanUp);
  }
}

/** The last one first; one that fails does not keep the others from their end. */
async function endAll(cleanUp: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const end of cleanUp.toReversed()) {
    await Promise.resolve()
      .then(end)
      .catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, "cannot close the stage");
}
