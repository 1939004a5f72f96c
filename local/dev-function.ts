import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import type { Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";
import type { DevAws } from "./dev-aws.ts";
import type { QueueUrls } from "./dev-queues.ts";
import type { FunctionFolder } from "./function-folder.ts";
import type { FunctionPause } from "./function-pause.ts";
import { FunctionPool } from "./function-pool.ts";
import { runFunction } from "./function-runner.ts";

/** What functions on this machine have in common. */
export interface DevFunctionContext {
  readonly aws: DevAws;
  readonly clock: Clock;
  readonly log: Logger;
  readonly print: (source: string, line: string) => void;
  /** Stands in `local.env` for `${DATA_DIR}`. */
  readonly dataDir: string;
  /** Has what waited in a queue that was deleted looked for. */
  readonly onQueueMade: () => Promise<void>;
  /** Environment of every function. */
  readonly env: Readonly<Record<string, string>>;
}

/** One function that works off its queue. */
export interface DevFunction {
  readonly name: string;
  /** Goes on with the code and definition as they are now. */
  readonly renew: (folder: FunctionFolder, revision: string) => void;
  /** Takes no more messages; resolves once the last invocation ended and no process is left. */
  readonly finish: () => Promise<void>;
  /** Kills its processes; their messages come back after the visibility timeout. */
  readonly kill: () => void;
}

/** Starts working off the queue of a function folder, with the code as it is on disk. */
export function startDevFunction(
  folder: FunctionFolder,
  queues: QueueUrls,
  start: {
    readonly revision: string;
    readonly context: DevFunctionContext;
    readonly ensureQueue: () => Promise<unknown>;
    /** Where it can be paused. */
    readonly pause?: FunctionPause;
  },
): DevFunction {
  const { revision, context, ensureQueue, pause } = start;
  const { aws, clock, log } = context;
  const processes = (of: FunctionFolder, code: string) => ({
    spec: specOf(of, queues, { revision: code, context }),
    clock,
    newId: randomUUID,
    print: (line: string) => context.print(folder.name, line),
  });
  const pool = new FunctionPool(processes(folder, revision), availableParallelism());
  let { mapping } = folder;
  const stopping = new AbortController();
  const running = runFunction(
    {
      name: folder.name,
      queueUrl: queues.queueUrl,
      mapping: () => mapping,
      ensureQueue,
      pool,
      ...(pause && { pause }),
      sqs: aws.sqs,
      clock,
      log,
    },
    stopping.signal,
  ).finally(() => pool.close());
  return {
    name: folder.name,
    renew: (changed, code) => {
      mapping = changed.mapping;
      pool.renew(processes(changed, code));
    },
    finish: () => {
      stopping.abort();
      return running;
    },
    kill: () => {
      stopping.abort();
      pool.close();
    },
  };
}

function specOf(
  folder: FunctionFolder,
  { queueUrl, deadLetterQueueUrl }: QueueUrls,
  { revision, context }: { readonly revision: string; readonly context: DevFunctionContext },
) {
  return {
    name: folder.name,
    handlerFile: folder.handlerFile,
    timeoutSeconds: folder.timeoutSeconds,
    env: {
      ...context.env,
      ...context.aws.env,
      TIDEGATE_QUEUE_URL: queueUrl,
      TIDEGATE_DEAD_LETTER_QUEUE_URL: deadLetterQueueUrl,
      TIDEGATE_REVISION: revision,
      ...withDataDir(folder.env, context.dataDir),
    },
  };
}

function withDataDir(env: Readonly<Record<string, string>>, dataDir: string) {
  return Object.fromEntries(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: so it stands in local.env.
    Object.entries(env).map(([name, value]) => [name, value.replaceAll("${DATA_DIR}", dataDir)]),
  );
}
