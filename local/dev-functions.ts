import { dirname, join } from "node:path";
import { type DevFunction, type DevFunctionContext, startDevFunction } from "./dev-function.ts";
import { ensureQueues, type QueueUrls } from "./dev-queues.ts";
import { type FunctionFolder, readFunctionFolders } from "./function-folder.ts";
import { FunctionPause, type FunctionState } from "./function-pause.ts";
import { hashOfSources } from "./source-files.ts";

export interface DevFunctionsOptions {
  readonly functionsDir: string;
  readonly cluster: string;
  readonly context: DevFunctionContext;
  /** Told the states of all functions, by controller name, at each change. */
  readonly onStates: (states: Readonly<Record<string, FunctionState>>) => void;
}

/** What the watcher must know of the functions; another hash is another watcher. */
export interface Definitions {
  readonly hash: string;
  readonly controllerFiles: readonly string[];
  /** By controller name. */
  readonly queueUrls: Readonly<Record<string, string>>;
}

const QUEUE_MADE = "the queue was deleted: it is made again, and what waited in it is sent again";

/** All functions of a project on this machine. */
export class DevFunctions {
  readonly #options: DevFunctionsOptions;
  readonly #running = new Map<
    string,
    {
      readonly queues: QueueUrls;
      readonly function: DevFunction;
      readonly pause: FunctionPause;
      revision: string;
    }
  >();

  readonly #states = new Map<string, FunctionState>();
  #paused: ReadonlySet<string> = new Set();

  constructor(options: DevFunctionsOptions) {
    this.#options = options;
  }

  /** The folders whose edits change what runs. */
  get sourceDirs(): readonly string[] {
    return [this.#options.functionsDir, this.#sharedDir];
  }

  /**
   * Makes what runs as the sources are now, in the order of a deploy: queues and functions, then
   * the revisions that the watcher compares. Rejects, with nothing changed, when a definition does
   * not load.
   */
  async update(): Promise<Definitions> {
    const { functionsDir } = this.#options;
    const folders = await readFunctionFolders(functionsDir);
    for (const folder of folders) await this.#updateOne(folder);
    const names = new Set(folders.map(({ name }) => name));
    for (const [name, removed] of this.#running) {
      if (names.has(name)) continue;
      this.#running.delete(name);
      this.#states.delete(name);
      void removed.function.finish();
    }
    const defines = (file: string) => /(^|\/)(controller|resource)\.ts$/.test(file);
    return {
      hash: `${await hashOfSources([functionsDir], defines)}-${await hashOfSources([this.#sharedDir])}`,
      controllerFiles: folders.map(({ controllerFile }) => controllerFile),
      queueUrls: Object.fromEntries(
        [...this.#running].map(([name, { queues }]) => [name, queues.queueUrl]),
      ),
    };
  }

  /** Tells the watcher once more which code runs: after its table was made anew. */
  async putRevisions(): Promise<void> {
    const { cluster, context } = this.#options;
    for (const [name, { revision }] of this.#running) {
      await context.aws.revisions.putRevision(cluster, name, revision);
    }
  }

  /** Pauses these controllers, those that come later too, and resumes all others. */
  pause(paused: ReadonlySet<string>): void {
    this.#paused = paused;
    for (const [name, running] of this.#running) running.pause.set(paused.has(name));
  }

  /** Kills every process. */
  kill(): void {
    for (const running of this.#running.values()) running.function.kill();
  }

  async #updateOne(folder: FunctionFolder): Promise<void> {
    const { cluster, context } = this.#options;
    const revision = await hashOfSources([folder.dir, this.#sharedDir]);
    const running = this.#running.get(folder.name);
    if (running?.revision === revision) return;
    const queues = await ensureQueues(context.aws.sqs, cluster, folder);
    if (running) {
      running.function.renew(folder, revision);
      running.revision = revision;
    } else {
      const ensureQueue = async () => {
        await ensureQueues(context.aws.sqs, cluster, folder);
        context.log.warn(QUEUE_MADE, { function: folder.name });
        await context.onQueueMade();
      };
      const pause = new FunctionPause(this.#paused.has(folder.name), (state) =>
        this.#changed(folder.name, state),
      );
      const start = { revision, context, ensureQueue, pause };
      const started = startDevFunction(folder, queues, start);
      this.#running.set(folder.name, { queues, function: started, pause, revision });
    }
    await context.aws.revisions.putRevision(cluster, folder.name, revision);
    context.log.info(running ? "function reloaded" : "function ready", { function: folder.name });
  }

  #changed(name: string, state: FunctionState): void {
    const before = this.#states.get(name);
    if (before === state) return;
    this.#states.set(name, state);
    this.#options.onStates(Object.fromEntries(this.#states));
    if (state !== "running" || before !== undefined)
      this.#options.context.log.info(`function ${state}`, { function: name });
  }

  /** Code that several functions of a project share stands beside them. */
  get #sharedDir(): string {
    return join(dirname(this.#options.functionsDir), "shared");
  }
}
