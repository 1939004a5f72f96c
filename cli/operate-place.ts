import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { SQSClient } from "@aws-sdk/client-sqs";
import type { Controller } from "../shared/api/controller.ts";
import type { Logger } from "../shared/api/log.ts";
import { unlessAborted } from "../shared/kube/call-scope.ts";
import { createTransport } from "../shared/kube/transport.ts";
import type { KubeAccess, Transport } from "../shared/kube/wire.ts";
import { createDynamoLeaseStore } from "../shared/lease/dynamo-lease-store.ts";
import type { LeaseStore } from "../shared/lease/lease-store.ts";
import type { AwsClientOptions } from "../shared/queue/aws-client-options.ts";
import { createDynamoClient } from "../shared/queue/dynamo-client.ts";
import { createDynamoRecordStore } from "../shared/queue/dynamo-record-store.ts";
import { createDynamoRevisionStore } from "../shared/queue/dynamo-revision-store.ts";
import type { RecordStore, RevisionStore } from "../shared/queue/record-store.ts";
import { ServerClock } from "../shared/queue/server-clock.ts";
import { createSqsClient } from "../shared/queue/sqs-client.ts";
import { createLogger } from "../shared/telemetry/log.ts";
import type { CommandContext } from "./command-context.ts";
import { openAwsPlace } from "./operate-aws.ts";
import { tellFailures } from "./operate-aws-error.ts";
import { openDevPlace } from "./operate-dev.ts";
import { meansAws, type PlaceValues } from "./operate-options.ts";
import type { PauseSwitch } from "./operate-pause.ts";

/** Where commands operate: the queues and the table of one cluster, and the cluster itself. */
export interface Place extends PlaceTarget {
  readonly dynamo: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly store: RecordStore & RevisionStore;
  readonly leases: LeaseStore;
  /** The time of AWS, by which records are written; of the machine until two answers came. */
  readonly clock: ServerClock;
  /** A connection to the API server, made when it is first asked for. */
  readonly kube: () => Promise<Transport>;
  readonly close: () => void;
}

/** What tells one place from another. */
export interface PlaceTarget {
  /** For people. */
  readonly title: string;
  readonly aws: AwsClientOptions;
  /** Where SQS and DynamoDB are, if not where the SDK finds them. */
  readonly endpoints: { readonly sqs?: string; readonly dynamo?: string };
  readonly tableName: string;
  /** The name under which records are kept. */
  readonly cluster: string;
  readonly controllers: () => Promise<readonly Controller[]>;
  readonly functionsDir: string;
  /** Rejects with one line where there is no access. `namespace` is that of the context. */
  readonly access: () => Promise<KubeAccess & { readonly namespace?: string }>;
  /** The health page of the watcher, where it can be reached from here. */
  readonly watcherUrl?: string;
  readonly pauses: PauseSwitch;
}

/** Warnings of what a command uses, for the person who gave it. */
export function commandLog({ err, clock }: Pick<CommandContext, "err" | "clock">): Logger {
  const write = (line: string) => void err.write(`${line}\n`);
  return createLogger({ write, nowMs: clock.nowMs, level: "warn", format: "text" });
}

/** Opens the place that the options name. Rejects with one line when nothing runs there. */
async function openPlace(values: PlaceValues, context: CommandContext): Promise<Place> {
  const target = meansAws(values)
    ? await openAwsPlace(values, context)
    : await openDevPlace(values, context);
  return connected(target, context);
}

/** As `onPlace`, for work that only reads: an interrupt ends it at once, whatever it waits for. */
export function readingPlace<T>(
  values: PlaceValues,
  context: CommandContext,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  return onPlace(values, context, (place) => unlessAborted(context.stopping, work(place)));
}

/** Runs a command's work on the place and closes it, however that ends. */
export async function onPlace<T>(
  values: PlaceValues,
  context: CommandContext,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  const place = await openPlace(values, context);
  try {
    return await work(place);
  } finally {
    place.close();
  }
}

function connected(target: PlaceTarget, context: CommandContext): Place {
  const { aws, endpoints, tableName, cluster } = target;
  const { clock: machine } = context;
  const clock = new ServerClock(machine);
  const dynamo = createDynamoClient({ ...aws, ...at(endpoints.dynamo), observer: clock });
  const sqs = createSqsClient({ ...aws, ...at(endpoints.sqs), observer: clock });
  tellFailures(dynamo, "DynamoDB");
  tellFailures(sqs, "SQS");
  const table = { client: dynamo, tableName, clock: machine, random: Math.random };
  let transport: Promise<Transport> | undefined;
  let closed = false;
  const log = commandLog(context);
  const open = async () => createTransport(await target.access(), { clock: machine, log });
  return {
    ...target,
    dynamo,
    sqs,
    store: { ...createDynamoRecordStore(table), ...createDynamoRevisionStore(table) },
    leases: createDynamoLeaseStore({ client: dynamo, tableName, cluster }),
    clock,
    kube: async () => {
      // Work that was interrupted may ask late: nobody would close that one.
      if (closed) throw new Error(`cannot open a connection: ${target.title} is closed`);
      transport ??= open();
      return transport;
    },
    close: () => {
      closed = true;
      dynamo.destroy();
      sqs.destroy();
      void transport?.then(
        (opened) => opened.close(),
        () => {},
      );
    },
  };
}

function at(endpoint: string | undefined): AwsClientOptions {
  return endpoint === undefined ? {} : { endpoint };
}
