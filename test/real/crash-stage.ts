import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../shared/clock.ts";
import { CrashProcess } from "./crash-process.ts";
import { CrashRuns } from "./crash-runs.ts";
import { freePorts } from "./dev-process.ts";
import { type Kube, startKube } from "./kube-apiserver.ts";

const PROGRAMS = import.meta.dirname;
const CLUSTER = "local";
const TABLE = "tidegate";

export interface CrashStage {
  readonly kube: Kube;
  readonly sqs: CrashProcess;
  readonly table: CrashProcess;
  readonly runner: CrashProcess;
  readonly watchers: readonly [CrashProcess, CrashProcess];
  readonly runs: CrashRuns;
  /** What reconcilers keep outside of the cluster. */
  readonly outside: string;
  readonly stop: () => Promise<void>;
}

export interface CrashStageOptions {
  /** Of the batches that the queue hands out, the part that it hands out twice. From 0 to 1, default 0. */
  readonly repeated?: number;
}

/** Starts everything for one controller of crash-functions, each part a process of its own. */
export async function startCrashStage(
  controller: string,
  { repeated = 0 }: CrashStageOptions = {},
): Promise<CrashStage> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-crash-"));
  const kube = await startKube({
    deployments: false,
    progress: (line) => process.stderr.write(`${line}\n`),
  });
  const port = await freePorts();
  const env = await environmentIn(folder, { kube, port });
  const program = (name: string, ...args: string[]) =>
    new CrashProcess({ name, file: join(PROGRAMS, `crash-${name}-program.ts`), args, env });
  const table = program("table", join(folder, "table"), String(port + 1));
  const sqs = program("sqs", join(folder, "sqs"), String(port), String(repeated));
  const runner = program("runner", controller);
  const watcher = (index: number) => watcherOf(controller, { index, port, env });
  const watchers = [watcher(0), watcher(1)] as const;
  const runs = new CrashRuns(env.CRASH_RUNS);
  const over = new AbortController();
  const stop = async () => {
    over.abort();
    for (const each of [...watchers, runner, sqs, table]) {
      each.thaw();
      await each.end("SIGKILL");
    }
    await kube.stop();
    // Functions that end just now may still write there.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    for (const each of [table, sqs, runner]) {
      each.start();
      await each.line(/^ready$/);
    }
    for (const each of watchers) {
      each.start();
      await each.line(/"source synced"/);
    }
    void runs.follow(over.signal);
    return { kube, sqs, table, runner, watchers, runs, outside: env.CRASH_OUTSIDE, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The watcher that said last that it leads; undefined where it has said since that it does not. */
export function leaderOf({ watchers }: CrashStage): CrashProcess | undefined {
  return watchers.find(({ lines }) => {
    const said = lines.findLast(({ text }) => /"(leading|watcher (started|stops))"/.test(text));
    return said?.text.includes('"leading"');
  });
}

async function environmentIn(
  folder: string,
  { kube, port }: { readonly kube: Kube; readonly port: number },
) {
  const access = join(folder, "access.json");
  const { url: server, ca, token } = kube;
  await writeFile(access, JSON.stringify({ server, ca, token }), { mode: 0o600 });
  const outside = join(folder, "outside");
  await mkdir(outside);
  return {
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_SQS: `http://127.0.0.1:${port}`,
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port + 1}`,
    TIDEGATE_TABLE: TABLE,
    TIDEGATE_CLUSTER: CLUSTER,
    TIDEGATE_KUBE_ACCESS: access,
    CRASH_RUNS: join(folder, "runs"),
    CRASH_OUTSIDE: outside,
    NODE_COMPILE_CACHE: join(folder, "compile-cache"),
  };
}

function watcherOf(
  controller: string,
  from: {
    readonly index: number;
    readonly port: number;
    readonly env: Readonly<Record<string, string>>;
  },
): CrashProcess {
  const name = `watcher-${from.index + 1}`;
  const queue = `${from.env.AWS_ENDPOINT_URL_SQS}/000000000000/${TABLE}-${CLUSTER}-${controller}.fifo`;
  return new CrashProcess({
    name,
    file: join(PROGRAMS, "../../watcher/main.ts"),
    args: [join(PROGRAMS, "crash-functions", controller, "controller.ts")],
    env: {
      ...from.env,
      TIDEGATE_QUEUE_URLS: JSON.stringify({ [controller]: queue }),
      TIDEGATE_PORT: String(from.port + 2 + from.index),
      TIDEGATE_POD_NAME: name,
    },
  });
}

/** Resolves once `met` does to true; rejects with what it tells last when the limit has passed. */
export async function eventually(
  what: string,
  limitMs: number,
  met: () => Promise<boolean | string>,
): Promise<void> {
  const deadlineMs = performance.now() + limitMs;
  for (;;) {
    const got = await met();
    if (got === true) return;
    if (performance.now() > deadlineMs) {
      throw new Error(`expected ${what} within ${limitMs / 1_000} s, got ${got}`);
    }
    await systemClock.sleep(200);
  }
}
