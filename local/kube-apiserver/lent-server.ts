import { readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { write } from "./kube-files.ts";
import { assetsIn } from "./kube-programs.ts";
import { type KubeConnection, kubeRequest } from "./kube-request.ts";
import { tryLock } from "./lock-file.ts";
import { RUN_DIR, startKubeCluster } from "./start-kube-cluster.ts";

/** An API server that is one borrower's until it gives it back. */
export interface LentServer {
  readonly connection: KubeConnection;
  /** For kubectl, while a test waits in a debugger. */
  readonly kubeconfigPath: string;
  /** To be called once the server holds nothing of this borrower any more. */
  readonly giveBack: () => Promise<void>;
}

/** Each takes some 300 MB. */
const MOST_SERVERS = 4;

/**
 * Lends an API server of the programs in that folder: one that this process has started before and
 * nobody uses, else a new one. All of them end with this process.
 *
 * What is idle is found by files, not by a variable: a test runner loads this module anew for each
 * test file, and those of one process are to share a server.
 */
export async function lendServer(assets: string): Promise<LentServer> {
  const programs = await assetsIn(assets);
  const mine = await runDirs();
  for (const dir of mine) {
    const lent = await lendIdle(dir, assets);
    if (lent) return lent;
  }
  if (mine.length >= MOST_SERVERS) {
    throw new Error(
      `cannot start another kube-apiserver: expected at most ${MOST_SERVERS} in use at once, got one more; await stop() of each environment`,
    );
  }
  const kube = await startKubeCluster({ programs, background: true, garbageCollector: false });
  const { url, ca, token, dataDir } = kube;
  await tryLock(lockIn(dataDir));
  await write(offerIn(dataDir), JSON.stringify({ url, ca, token, assets } satisfies Offer));
  return lentServer(dataDir, kube);
}

/** What a file beside a server tells of it. */
interface Offer extends KubeConnection {
  readonly assets: string;
}

const offerIn = (dir: string) => join(dir, "offer.json");
const lockIn = (dir: string) => join(dir, "in-use");

async function runDirs(): Promise<readonly string[]> {
  const names = await readdir(tmpdir());
  return names.filter((name) => name.startsWith(RUN_DIR)).map((name) => join(tmpdir(), name));
}

async function lendIdle(dir: string, assets: string): Promise<LentServer | undefined> {
  const text = await readFile(offerIn(dir), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const offer = JSON.parse(text) as Offer;
  if (offer.assets !== assets || !(await tryLock(lockIn(dir)))) return undefined;
  // One that has died stays locked, and goes with this process.
  return (await answers(offer)) ? lentServer(dir, offer) : undefined;
}

async function answers(connection: KubeConnection): Promise<boolean> {
  const signal = AbortSignal.timeout(5_000);
  const answer = await kubeRequest(connection, { path: "/readyz", signal }).catch(() => undefined);
  return answer?.status === 200;
}

function lentServer(dir: string, { url, ca, token }: KubeConnection): LentServer {
  return {
    connection: { url, ca, token },
    kubeconfigPath: join(dir, "kubeconfig"),
    giveBack: () => rm(lockIn(dir), { force: true }),
  };
}
