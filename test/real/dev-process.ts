import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DeleteTableCommand } from "@aws-sdk/client-dynamodb";
import { systemClock } from "../../shared/clock.ts";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import { createDynamoRecordStore } from "../../shared/queue/dynamo-record-store.ts";
import type { ObjectRecord } from "../../shared/queue/record.ts";
import { recordId } from "../../shared/queue/record-store.ts";

export interface DevProcessOptions {
  /** The command line before the name of the command; default: the sources of this repository. */
  readonly command?: readonly string[];
  /** Default: "dev". */
  readonly name?: "dev" | "run";
  /** Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly args: readonly string[];
  readonly port: number;
  /** Where its table is; default: its own. */
  readonly awsEndpoint?: string | undefined;
  /** Shows its lines while a test is being written. */
  readonly show?: boolean;
}

const SOURCES = [
  "--disable-warning=ExperimentalWarning",
  "--conditions=tidegate-source",
  join(import.meta.dirname, "../../cli/tidegate.ts"),
];

/** `npm start`, or `tidegate run`, as a process of its own. */
export class DevProcess {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  readonly #waiting = new Set<() => void>();
  readonly #dynamo;
  readonly #store;

  constructor({
    command = SOURCES,
    name = "dev",
    env,
    cwd,
    args,
    port,
    awsEndpoint,
    show = false,
  }: DevProcessOptions) {
    const endpoint = awsEndpoint === undefined ? [] : ["--aws-endpoint", awsEndpoint];
    this.#child = spawn(
      process.execPath,
      [...command, name, "--port", String(port), ...endpoint, ...args],
      {
        stdio: ["ignore", "pipe", "pipe"],
        cwd,
        env,
      },
    );
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream) createInterface({ input: stream }).on("line", (line) => this.#heard(line, show));
    }
    this.#ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#dynamo = createDynamoClient({
      endpoint: awsEndpoint ?? `http://127.0.0.1:${port + 1}`,
      region: "us-east-1",
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
    });
    const table = { client: this.#dynamo, tableName: "tidegate" };
    this.#store = createDynamoRecordStore({ ...table, clock: systemClock, random: Math.random });
  }

  /** Resolves to the first line that matches, of those from `from` on; rejects when the process ends without it. */
  async line(pattern: RegExp, from = 0): Promise<string> {
    const ended = this.#ended.then(() => "ended" as const);
    for (;;) {
      const found = this.lines.slice(from).find((line) => pattern.test(line));
      if (found !== undefined) return found;
      const more = new Promise<"more">((resolve) => this.#waiting.add(() => resolve("more")));
      if ((await Promise.race([more, ended])) === "ended") {
        throw new Error(`ended without ${pattern}; it said:\n${this.lines.join("\n")}`);
      }
    }
  }

  async deleteTable(): Promise<void> {
    await this.#dynamo.send(new DeleteTableCommand({ TableName: "tidegate" }));
  }

  /** The record of an object. */
  async record(
    controller: string,
    key: { namespace: string; name: string },
  ): Promise<ObjectRecord> {
    const request = { cluster: "local", controller, ...key };
    const { records } = await this.#store.read([request]);
    return records.get(recordId(request)) ?? { epoch: 0, failures: 0 };
  }

  /** Resolves to the record once it is as asked for. */
  async recordWhen(
    controller: string,
    key: { namespace: string; name: string },
    matches: (record: ObjectRecord) => boolean,
  ): Promise<ObjectRecord> {
    for (;;) {
      const record = await this.record(controller, key);
      if (matches(record)) return record;
      await systemClock.sleep(50);
    }
  }

  /** Asks it to stop; resolves to its exit code and how long it took. */
  async stop(signal: NodeJS.Signals = "SIGINT"): Promise<{ code: number | null; tookMs: number }> {
    const startedMs = performance.now();
    this.#child.kill(signal);
    const code = await this.#ended;
    this.#dynamo.destroy();
    return { code, tookMs: performance.now() - startedMs };
  }

  /** Resolves to the exit code once it ended by itself. */
  get ended(): Promise<number | null> {
    return this.#ended;
  }

  #heard(line: string, show: boolean): void {
    this.lines.push(line);
    if (show) process.stderr.write(`${line}\n`);
    for (const told of this.#waiting) told();
    this.#waiting.clear();
  }
}

/** The first of four ports in a row that are free now. */
export async function freePorts(): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 20_000);
    const free = await Promise.all([0, 1, 2, 3].map((offset) => isFree(first + offset)));
    if (!free.includes(false)) return first;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
