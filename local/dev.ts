import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../shared/clock.ts";
import { kubeconfigAccess } from "../shared/kube/kubeconfig-access.ts";
import type { KubeAccess } from "../shared/kube/wire.ts";
import { keepAccessFresh, writeAccess } from "./dev-access.ts";
import { connectDevAccount } from "./dev-account.ts";
import { type DevAws, startDevAws } from "./dev-aws.ts";
import { type DevCluster, startDevCluster } from "./dev-cluster.ts";
import { takeDataDir } from "./dev-data.ts";
import { startFailure, uncaughtFailure } from "./dev-failure.ts";
import { DevFunctions } from "./dev-functions.ts";
import { releaseDeadLease } from "./dev-lease.ts";
import type { DevOptions } from "./dev-options.ts";
import { followPauses, pausedIn } from "./dev-pauses.ts";
import { type DevPlace, DevPlaceFile } from "./dev-place.ts";
import { keepTable } from "./dev-table.ts";
import { DevWatcher } from "./dev-watcher.ts";
import { requireFreePort } from "./free-port.ts";
import { nextSteps } from "./next-steps.ts";
import { watchSources } from "./source-files.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

const clock = systemClock;

/**
 * Runs controllers on this machine until `stopping` is aborted; resolves to the exit code. Rejects
 * with one line when it cannot start. What a broken-off start still waits for is left to the caller,
 * who ends the process.
 */
export async function dev(options: DevOptions, stopping: AbortSignal): Promise<number> {
  const terminal = createTerminal({
    out: process.stdout,
    verbose: options.verbose,
    noColor: Boolean(process.env.NO_COLOR),
  });
  const cleanUp: CleanUp = [];
  try {
    const failed = uncaughtFailure(process, options.dataDir);
    const ended = Promise.race([untilAborted(stopping), failed]);
    const started = start(options, { terminal, stopping, cleanUp }).catch((error: unknown) => {
      throw startFailure(error, options.dataDir);
    });
    await Promise.race([started, ended]);
    await ended;
    terminal.log.info("stopping");
    return 0;
  } finally {
    for (let step = cleanUp.shift(); step; step = cleanUp.shift()) {
      await step().catch((error: unknown) => terminal.log.warn("cannot clean up", { error }));
    }
  }
}

/** What ends all that was started, the last first. */
type CleanUp = (() => Promise<void>)[];

interface Run {
  readonly terminal: Terminal;
  readonly stopping: AbortSignal;
  readonly cleanUp: CleanUp;
}

/** The cluster that is watched: a given one, or the embedded one with all that belongs to it. */
type Target = Pick<DevCluster, "access"> & Partial<DevCluster>;

/** What runs stands on. */
interface Ground {
  readonly aws: DevAws;
  readonly env: Readonly<Record<string, string>>;
  readonly updateDefinitions: DevCluster["updateDefinitions"] | undefined;
  /** Tells others what runs; those find what is in AWS by themselves. */
  readonly place: DevPlaceFile | undefined;
}

async function start(options: DevOptions, run: Run): Promise<void> {
  const { terminal, stopping, cleanUp } = run;
  const { dataDir, cluster, port } = options;
  const { log } = terminal;
  const given = await givenAccess(options);
  stopping.throwIfAborted();
  cleanUp.unshift(await takeDataDir(options));
  const target: Target = given ? { access: given } : await startEmbedded(options, run);
  const { access, kubeconfigFile, updateDefinitions, definitions } = target;
  const accessFile = join(dataDir, "access.json");
  cleanUp.unshift(() => rm(accessFile, { force: true })); // It holds credentials.
  await writeAccess(access, accessFile);
  const aws = await (options.account
    ? connectDevAccount(options.account, { clock, env: process.env })
    : startDevAws(options, { clock, log }));
  cleanUp.unshift(aws.close);
  await requireFreePort({ what: "health and metrics of the watcher", port: port + 2 });
  stopping.throwIfAborted();
  const env = {
    ...inherited(dataDir),
    TIDEGATE_CLUSTER: cluster,
    TIDEGATE_KUBE_ACCESS: accessFile,
  };
  const place = aws.own && placeFile(options, aws.own.place, accessFile);
  cleanUp.unshift(async () => place?.remove());
  await startPrograms(options, run, { aws, env, updateDefinitions, place });
  const report = (error: unknown) =>
    log.error("cannot renew the credentials of the cluster", { error });
  void keepAccessFresh({ access, file: accessFile, clock }, report, stopping);
  const health = `http://127.0.0.1:${port + 2}/readyz`;
  log.info("ready: watching the cluster; Ctrl-C stops", { server: access.server, health });
  if (kubeconfigFile === undefined || definitions === undefined) return;
  terminal.say(nextSteps({ kubeconfigFile, definitions: definitions(), cwd: process.cwd() }));
}

function placeFile(
  { dataDir, cluster, functionsDir, port }: DevOptions,
  aws: NonNullable<DevAws["own"]>["place"],
  accessFile: string,
): DevPlaceFile {
  const watcherUrl = `http://127.0.0.1:${port + 2}`;
  return new DevPlaceFile(dataDir, { cluster, functionsDir, watcherUrl, accessFile, ...aws });
}

/** The access that was asked for; undefined for the embedded cluster. Rejects before anything is started. */
async function givenAccess({ kubeconfig, context }: DevOptions): Promise<KubeAccess | undefined> {
  return kubeconfig === undefined ? undefined : kubeconfigAccess({ file: kubeconfig, context });
}

async function startEmbedded(
  { dataDir, port, functionsDir }: DevOptions,
  { terminal: { log }, cleanUp }: Run,
): Promise<DevCluster> {
  const cluster = await startDevCluster({ dataDir, port: port + 3, functionsDir }, { clock, log });
  cleanUp.unshift(cluster.close);
  return cluster;
}

/** Starts functions and watcher, and keeps them as their sources are. */
async function startPrograms(
  { dataDir, cluster, port, functionsDir }: DevOptions,
  { terminal: { log, print }, stopping, cleanUp }: Run,
  { aws, env, updateDefinitions, place }: Ground,
): Promise<void> {
  const onQueueMade = () => watcher.restart();
  const context = { aws, clock, log, print, env, dataDir, onQueueMade };
  const onStates = (states: DevPlace["controllers"]) => place?.update(states);
  const functions = new DevFunctions({ functionsDir, cluster, context, onStates });
  functions.pause(await pausedIn(dataDir));
  const watcher = new DevWatcher({
    env: { ...env, ...aws.env, TIDEGATE_PORT: String(port + 2) },
    clock,
    log,
    print,
    // Sound, since the folder's lock says that no other watcher of this table lives. A server
    // that was given with --aws-endpoint is to be this process's alone. In AWS others may lead.
    releaseLease: async () => aws.own && releaseDeadLease(aws.leases(cluster), randomUUID),
  });
  cleanUp.unshift(
    () => watcher.stop(),
    async () => functions.kill(),
  );
  const update = async () => {
    await updateDefinitions?.();
    const definitions = await functions.update();
    if (!stopping.aborted) await watcher.update(definitions);
  };
  await update();
  const report = (error: unknown) => log.error("what runs is left as it is", { error });
  const unwatch = watchSources(functions.sourceDirs, clock, () => update().catch(report));
  cleanUp.unshift(async () => unwatch());
  const restored = async () => {
    await functions.putRevisions();
    await watcher.restart();
  };
  void followPauses({ dataDir, clock }, (paused) => functions.pause(paused), stopping);
  if (!aws.own) return;
  void keepTable({ restore: aws.own.restoreTable, restored, clock, log }, stopping);
}

/** What a child process needs of our own environment: nothing that names accounts or secrets. */
function inherited(dataDir: string): Record<string, string> {
  const names = ["PATH", "HOME", "TMPDIR", "LANG", "NODE_EXTRA_CA_CERTS"];
  const kept = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), NODE_COMPILE_CACHE: join(dataDir, "compile-cache") };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
