import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Daemon } from "../../local/kube-apiserver/daemon.ts";

/** A server of SQS, DynamoDB or both that shares nothing with ours, and asks for no credentials. */
export interface AwsServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export interface AwsServerProgram {
  readonly name: string;
  readonly command: string;
  /** Has to make it listen on 127.0.0.1 alone. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const READY_LIMIT_MS = 60_000;
const STOP_GRACE_MS = 2_000;

/** Starts a program that prints its address once it listens. It ends with this process at the latest. */
export async function startAwsServer(program: AwsServerProgram): Promise<AwsServer> {
  const { name, command, args, env = {} } = program;
  const folder = await mkdtemp(join(tmpdir(), `tidegate-${name}-`));
  const logPath = join(folder, `${name}.log`);
  const daemon = await Daemon.start({
    command,
    args,
    env: { ...env, TMPDIR: folder },
    logPath,
    removeWhenOrphaned: folder,
  });
  const stop = async () => {
    await daemon.stop(STOP_GRACE_MS);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    let url = "";
    const ready = async () => {
      url = /http:\/\/127\.0\.0\.1:\d+/.exec(await readFile(logPath, "utf8"))?.[0] ?? "";
      return url !== "";
    };
    await daemon.whenReady(ready, {
      limitMs: READY_LIMIT_MS,
      signal: new AbortController().signal,
    });
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
