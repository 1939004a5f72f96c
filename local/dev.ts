import { rm } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../shared/clock.ts";
import { kubeconfigAccess } from "../shared/kube/kubeconfig-access.ts";
import { keepAccessFresh, writeAccess } from "./dev-access.ts";
import { startDevAws } from "./dev-aws.ts";
import { takeDataDir } from "./dev-data.ts";
import { DevFunctions } from "./dev-functions.ts";
import type { DevOptions } from "./dev-options.ts";
import { DevWatcher } from "./dev-watcher.ts";
import { watchSources } from "./source-files.ts";
import { stopSignal } from "./stop-signal.ts";
import { createTerminal } from "./terminal.ts";

/**
 * Runs controllers on this machine until SIGINT or SIGTERM; resolves to the exit code. Rejects with
 * one line when it cannot start.
 */
export async function dev(options: DevOptions): Promise<number> {
  const clock = systemClock;
  const { log, print } = createTerminal({
    out: process.stdout,
    verbose: options.verbose,
    noColor: Boolean(process.env.NO_COLOR),
  });
  const stopping = stopSignal();
  const access = await kubeconfigAccess({ file: options.kubeconfig, context: options.context });
  const giveBack = await takeDataDir(options);
  const cleanUp = [giveBack];
  try {
    const accessFile = join(options.dataDir, "access.json");
    cleanUp.unshift(() => rm(accessFile, { force: true })); // It holds credentials.
    await writeAccess(access, accessFile);
    const aws = await startDevAws(options, { clock, log });
    cleanUp.unshift(aws.close);
    const env = {
      ...inherited(options.dataDir),
      TIDEGATE_CLUSTER: options.cluster,
      TIDEGATE_KUBE_ACCESS: accessFile,
    };
    const context = { aws, clock, log, print, env, dataDir: options.dataDir };
    const functions = new DevFunctions({ ...options, context });
    const port = String(options.port + 2);
    const watcher = new DevWatcher({
      env: { ...env, ...aws.env, TIDEGATE_PORT: port },
      clock,
      log,
      print,
    });
    cleanUp.unshift(
      () => watcher.stop(),
      async () => functions.kill(),
    );
    const update = async () => watcher.update(await functions.update());
    await update();
    const report = (error: unknown) => log.error("what runs is left as it is", { error });
    cleanUp.unshift(async () => unwatch());
    const unwatch = watchSources(functions.sourceDirs, clock, () => update().catch(report));
    void keepAccessFresh({ access, file: accessFile, clock }, report, stopping);
    log.info("ready: watching the cluster; Ctrl-C stops", {
      server: access.server,
      health: `http://127.0.0.1:${port}/readyz`,
    });
    await untilAborted(stopping);
    log.info("stopping");
    return 0;
  } finally {
    for (const step of cleanUp)
      await step().catch((error: unknown) => log.warn("cannot clean up", { error }));
  }
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
