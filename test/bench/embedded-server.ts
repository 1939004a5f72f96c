import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { KubeConnection } from "../../local/kube-apiserver/kube-request.ts";
import { systemClock } from "../../shared/clock.ts";

/** The embedded API server in a process of its own. */
export interface EmbeddedServer {
  readonly connection: KubeConnection;
  readonly pid: number;
  /** Ends it. */
  readonly stop: () => Promise<void>;
}

const STOP_LIMIT_MS = 3_000;

/** Resolves once it serves, with its state in `dir`. Rejects with what it wrote when it cannot. */
export async function embeddedServer(dir: string, signal: AbortSignal): Promise<EmbeddedServer> {
  const program = join(import.meta.dirname, "embedded-server-program.ts");
  const flags = ["--disable-warning=ExperimentalWarning", "--conditions=tidegate-source"];
  const child = spawn(process.execPath, [...flags, program, dir], {
    stdio: ["pipe", "pipe", "pipe"],
    detached: true, // Ctrl-C reaches us alone; the end of stdin ends it.
  });
  const errors = text(child.stderr);
  const exited = once(child, "exit");
  const stop = async () => {
    const over = new AbortController();
    child.stdin.end();
    const late = systemClock.sleep(STOP_LIMIT_MS, over.signal).then(() => child.kill("SIGKILL"));
    await Promise.race([exited, late]);
    over.abort();
    await exited;
  };
  try {
    const lines = createInterface({ input: child.stdout });
    const [line] = await Promise.race([once(lines, "line", { signal }), exited.then(() => [])]);
    if (line === undefined) throw new Error((await errors).trim().slice(-500));
    return { connection: JSON.parse(line) as KubeConnection, pid: child.pid ?? 0, stop };
  } catch (cause) {
    await stop();
    throw new Error("cannot start the embedded API server", { cause });
  }
}
