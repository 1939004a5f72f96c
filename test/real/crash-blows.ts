import { systemClock } from "../../shared/clock.ts";
import type { Blow, Victim } from "./crash-plan.ts";
import type { CrashStage } from "./crash-stage.ts";

/** How one victim is struck, and brought back. */
interface Target {
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<void>;
  readonly freeze: () => void;
  readonly thaw: () => void;
}

/** Strikes one blow after the other until all are struck or the signal is aborted; brings each victim back. */
export async function strike(
  stage: CrashStage,
  blows: readonly Blow[],
  { random, signal }: { readonly random: () => number; readonly signal: AbortSignal },
): Promise<readonly Blow[]> {
  const struck: Blow[] = [];
  for (const blow of blows) {
    await systemClock.sleep(blow.afterMs, signal);
    if (signal.aborted) break;
    const target = await targetOf(stage, blow.victim, random);
    if (!target) continue;
    struck.push(blow);
    if (blow.act === "kill") await target.kill();
    else target.freeze();
    await systemClock.sleep(blow.forMs, signal);
    if (blow.act === "kill") await target.restart();
    else target.thaw();
  }
  return struck;
}

async function targetOf(
  stage: CrashStage,
  victim: Victim,
  random: () => number,
): Promise<Target | undefined> {
  const { kube } = stage;
  switch (victim) {
    case "kube-apiserver":
      return { kill: kube.kill, restart: kube.restart, ...signalsTo(kube.pid()) };
    case "etcd":
      return { kill: kube.killEtcd, restart: kube.restartEtcd, ...signalsTo(kube.etcdPid()) };
    case "function": {
      const alive = await stage.runs.alive();
      const pid = alive[Math.floor(random() * alive.length)];
      if (pid === undefined) return undefined;
      // Another one takes its place when there is work for it.
      const kill = async () => send(pid, "SIGKILL");
      return { kill, restart: async () => {}, ...signalsTo(pid) };
    }
    default: {
      const all = [...stage.watchers, stage.runner, stage.sqs, stage.table];
      const each = all.find(({ name }) => name === victim);
      if (!each) throw new Error(`cannot strike ${victim}: expected a process of that name`);
      return {
        kill: () => each.end("SIGKILL"),
        restart: async () => each.start(),
        freeze: () => each.freeze(),
        thaw: () => each.thaw(),
      };
    }
  }
}

function signalsTo(pid: number): Pick<Target, "freeze" | "thaw"> {
  return { freeze: () => send(pid, "SIGSTOP"), thaw: () => send(pid, "SIGCONT") };
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended a moment ago.
  }
}
