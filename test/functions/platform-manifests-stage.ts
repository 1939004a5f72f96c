import type {
  CustomResourceEvent,
  DeployedRevision,
  Host,
} from "../../functions/platform-manifests/custom-resource.ts";
import { handleRequest } from "../../functions/platform-manifests/handle-request.ts";
import { websiteController } from "../../functions/website/controller.ts";
import { crd } from "../../functions/website/resource.ts";
import { createKubeApi } from "../../local/kube/kube-api.ts";
import { runWorkloads } from "../../local/kube/workloads.ts";
import type { Controller } from "../../shared/api/controller.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import type { KubeRequest, KubeResponse, Transport } from "../../shared/kube/wire.ts";
import { guardedKinds } from "../../shared/platform/guarded-kinds.ts";
import { platformManifests } from "../../shared/platform/platform-manifests.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { type LoggedLine, recordedLog } from "../support/recorded-log.ts";
import { seededNumbers } from "../support/seeded-numbers.ts";

export const CONTROLLER = websiteController as unknown as Controller;
export const OTHER = { ...CONTROLLER, name: "other", finalizer: "example.com/other" } as Controller;
export const IMAGE = `example.com/node:24@sha256:${"a".repeat(64)}`;

/** What a deploy is made of. */
export interface Deploy {
  readonly controllers?: readonly Controller[];
  readonly image?: string;
  readonly namespace?: string;
}

/** The manifests of a deploy, as the stack puts them into S3. */
export function assetOf({ controllers = [CONTROLLER], image = IMAGE, namespace = "ops" }: Deploy) {
  const config = {
    TIDEGATE_TABLE: `${"$"}{Table}`,
    TIDEGATE_CLUSTER: "prod",
    TIDEGATE_QUEUE_URLS: "{}",
  };
  const watcher = { image, config };
  const files = platformManifests({
    controllers,
    crds: [crd()],
    namespace,
    platform: "team",
    watcher,
  });
  return JSON.stringify([...files.values()].flat());
}

/** An answer as CloudFormation gets it. */
export interface SentAnswer {
  readonly Status: string;
  readonly Reason?: string;
  readonly PhysicalResourceId: string;
  readonly Data?: Readonly<Record<string, string>>;
}

export type Answering = (request: KubeRequest) => KubeResponse | Error | undefined;

export interface ManifestsStage {
  readonly client: KubeClient;
  readonly clock: VirtualClock;
  readonly logged: LoggedLine[];
  readonly revisions: DeployedRevision[];
  readonly requests: KubeRequest[];
  readonly assets: Map<string, string>;
  /** In the place of the cluster's answers; undefined lets a request pass. */
  fault: Answering;
  /** Statuses of CloudFormation's URL before it takes an answer. */
  refusals: (number | Error)[];
  send(event: Partial<CustomResourceEvent>, remainingMs?: number): Promise<SentAnswer>;
  manifests(step: string, key: string): Readonly<Record<string, unknown>>;
  guard(controllers: readonly Controller[], drain?: string): Readonly<Record<string, unknown>>;
  stop(): Promise<void>;
}

const PLACE = { cluster: "prod", endpoint: "https://prod", certificateAuthorityData: "Q0E=" };
export const STACK = "arn:aws:cloudformation:eu-west-1:1:stack/web/1";

/** The function on a cluster in memory, in which workloads get pods, with time that passes by itself. */
export function manifestsStage({ workloads = true } = {}): ManifestsStage {
  const clock = new VirtualClock();
  let uids = 0;
  const newUid = () => {
    uids += 1;
    return `00000000-0000-4000-8000-${String(uids).padStart(12, "0")}`;
  };
  const random = seededNumbers(1);
  const api = createKubeApi({ clock, random, newUid });
  const { log, logged } = recordedLog();
  const stopping = new AbortController();
  const parts = { transport: api.transport, clock, random, log: recordedLog().log };
  const working = workloads ? runWorkloads(parts, stopping.signal) : Promise.resolve();
  const answers: SentAnswer[] = [];
  const host: Host = {
    clock,
    log,
    fetch: async (_, { body = "" }) => {
      const refusal = stage.refusals.shift();
      if (refusal instanceof Error) throw refusal;
      if (refusal === undefined) answers.push(JSON.parse(body) as SentAnswer);
      return { status: refusal ?? 200, text: async () => "" };
    },
    transportTo: () => faulty(api.transport),
    readAsset: async ({ key }) => {
      const text = stage.assets.get(key);
      if (text === undefined) throw new Error(`cannot read ${key}`);
      return text;
    },
    putRevision: async (revision) => void stage.revisions.push(revision),
  };
  const faulty = (transport: Transport): Transport => ({
    ...transport,
    stream: transport.stream,
    close: () => {},
    request: async (request) => {
      stage.requests.push(request);
      const met = stage.fault(request);
      if (met instanceof Error) throw met;
      return met ?? transport.request(request);
    },
  });
  const stage: ManifestsStage = {
    client: createKubeClient(api.transport),
    clock,
    logged,
    revisions: [],
    requests: [],
    assets: new Map(),
    fault: () => undefined,
    refusals: [],
    send: async (event, remainingMs = 900_000) => {
      const endMs = clock.monotonicMs() + remainingMs;
      const invocation = { getRemainingTimeInMillis: () => endMs - clock.monotonicMs() };
      const before = answers.length;
      let over = false;
      const handling = handleRequest({ ...EVENT, ...event }, host, invocation).finally(() => {
        over = true;
      });
      handling.catch(() => {});
      while (!over) await clock.advance(500);
      await handling;
      const [answer, ...more] = answers.slice(before);
      if (!answer || more.length > 0)
        throw new Error(`expected one answer, got ${more.length + 1}`);
      return answer;
    },
    ...stageProperties,
    stop: async () => {
      stopping.abort();
      await clock.advance(10_000);
      await working;
      api.close();
    },
  };
  return stage;
}

/** What the stack says of its resources. */
export const stageProperties: Pick<ManifestsStage, "manifests" | "guard"> = {
  manifests: (step, key) => ({
    ...PLACE,
    step,
    key,
    bucket: "assets",
    platform: "team",
    table: "records",
    values: { Table: "records" },
    revisions: { website: `code-${key}` },
  }),
  guard: (controllers, drain) => ({
    ...PLACE,
    platform: "team",
    guarded: guardedKinds(controllers, [crd()]),
    ...(drain && { drain }),
  }),
};

const EVENT: CustomResourceEvent = {
  RequestType: "Create",
  ResponseURL: "https://cloudformation.example.com/?signature=secret",
  StackId: STACK,
  RequestId: "request-1",
  ResourceType: "Custom::TidegateManifests",
  LogicalResourceId: "Watcher",
  ResourceProperties: {},
};

/** An answer of the API server that is no success. */
export function refused(status: number, message = "no"): KubeResponse {
  return { status, headers: {}, body: { kind: "Status", code: status, message, reason: "Test" } };
}

/** As Node tells that a name has no address. */
export function noSuchName(): Error {
  const cause = Object.assign(new Error("getaddrinfo ENOTFOUND prod"), { code: "ENOTFOUND" });
  return new Error("cannot GET https://prod/api: getaddrinfo ENOTFOUND prod", { cause });
}
