import type { ApiObject } from "./api-object.ts";
import { ageOf, timeMs } from "./table-age.ts";
import type { CellFunction } from "./table-cells.ts";
import { age, name } from "./table-cells-core.ts";
import { conditionTrue, numberAt, type Part, partAt, partsAt, textAt } from "./table-fields.ts";

export const podCells: CellFunction = (pod, { nowMs }) => {
  const { ready, total, status, restarts, lastRestartMs } = podSummary(pod);
  const ago = restarts > 0 && lastRestartMs > 0;
  const last = ageOf(new Date(lastRestartMs).toISOString(), nowMs);
  return [
    name(pod),
    `${ready}/${total}`,
    status,
    ago ? `${restarts} (${last} ago)` : String(restarts),
    age(pod, nowMs),
    textAt(partsAt(pod, "status.podIPs")[0] ?? {}, "ip", "<none>"),
    textAt(pod, "spec.nodeName", "<none>"),
    textAt(pod, "status.nominatedNodeName", "<none>"),
    readinessGates(pod),
  ];
};

/** Says in the row that the pod has run to its end; undefined where it has not. */
export function podConditions(pod: ApiObject): readonly object[] | undefined {
  const phase = textAt(pod, "status.phase");
  const message = ENDS[phase];
  return message === undefined
    ? undefined
    : [{ type: "Completed", status: "True", reason: phase, message }];
}

const ENDS: Readonly<Record<string, string>> = {
  Succeeded: "The pod has completed successfully.",
  Failed: "The pod failed.",
};

function readinessGates(pod: ApiObject): string {
  const gates = partsAt(pod, "spec.readinessGates");
  if (gates.length === 0) return "<none>";
  const passed = gates.filter((gate) => conditionTrue(pod, textAt(gate, "conditionType")));
  return `${passed.length}/${gates.length}`;
}

interface Restarts {
  readonly restarts: number;
  /** 0: never. */
  readonly lastRestartMs: number;
}

interface PodSummary extends Restarts {
  readonly ready: number;
  readonly total: number;
  readonly status: string;
}

function podSummary(pod: ApiObject): PodSummary {
  const sidecars = new Set(
    partsAt(pod, "spec.initContainers")
      .filter(isSidecar)
      .map((each) => textAt(each, "name")),
  );
  const total = partsAt(pod, "spec.containers").length + sidecars.size;
  const init = initSummary(pod, sidecars);
  const phase = init.status ?? phaseOf(pod);
  if (init.status !== undefined && !conditionTrue(pod, "Initialized")) {
    return { total, ...init, status: ended(pod, phase) };
  }
  const main = mainSummary(pod, phase);
  return {
    total,
    ready: init.ready + main.ready,
    status: ended(pod, main.status),
    restarts: init.ofSidecars.restarts + main.restarts,
    lastRestartMs: Math.max(init.ofSidecars.lastRestartMs, main.lastRestartMs),
  };
}

function isSidecar(container: Part): boolean {
  return container.restartPolicy === "Always";
}

function phaseOf(pod: ApiObject): string {
  const gated = partsAt(pod, "status.conditions").some(
    (each) => each.type === "PodScheduled" && each.reason === "SchedulingGated",
  );
  if (gated) return "SchedulingGated";
  return textAt(pod, "status.reason") || textAt(pod, "status.phase");
}

/** A pod that is being deleted says so, unless it has ended. */
function ended(pod: ApiObject, status: string): string {
  if (pod.metadata.deletionTimestamp === undefined) return status;
  if (textAt(pod, "status.reason") === "NodeLost") return "Unknown";
  return textAt(pod, "status.phase") in ENDS ? status : "Terminating";
}

interface InitSummary extends Restarts {
  readonly ready: number;
  readonly ofSidecars: Restarts;
  /** Absent where all have run. */
  readonly status?: string;
}

function initSummary(pod: ApiObject, sidecars: ReadonlySet<string>): InitSummary {
  const all = partsAt(pod, "status.initContainerStatuses");
  const seen: Part[] = [];
  let ready = 0;
  let status: string | undefined;
  for (const [index, container] of all.entries()) {
    seen.push(container);
    const sidecar = sidecars.has(textAt(container, "name"));
    if (numberAt(container, "state.terminated.exitCode", -1) === 0) continue;
    if (sidecar && container.started === true) {
      if (container.ready === true) ready += 1;
      continue;
    }
    const count = partsAt(pod, "spec.initContainers").length;
    status = initStatus(container) ?? `Init:${index}/${count}`;
    break;
  }
  const ofSidecars = restartsOf(seen.filter((each) => sidecars.has(textAt(each, "name"))));
  return { ready, ofSidecars, ...restartsOf(seen), ...(status !== undefined && { status }) };
}

function initStatus(container: Part): string | undefined {
  const terminated = partAt(container, "state.terminated");
  if (terminated) return `Init:${terminatedReason(terminated)}`;
  const waiting = textAt(container, "state.waiting.reason");
  return waiting === "" || waiting === "PodInitializing" ? undefined : `Init:${waiting}`;
}

function terminatedReason(terminated: Part): string {
  const reason = textAt(terminated, "reason");
  if (reason !== "") return reason;
  const signal = numberAt(terminated, "signal");
  return signal === 0 ? `ExitCode:${numberAt(terminated, "exitCode")}` : `Signal:${signal}`;
}

function restartsOf(containers: readonly Part[]): Restarts {
  let restarts = 0;
  let lastRestartMs = 0;
  for (const container of containers) {
    restarts += numberAt(container, "restartCount");
    const finished = timeMs(textAt(container, "lastState.terminated.finishedAt"));
    lastRestartMs = Math.max(lastRestartMs, finished ?? 0);
  }
  return { restarts, lastRestartMs };
}

function mainSummary(pod: ApiObject, phase: string): Restarts & { ready: number; status: string } {
  const containers = partsAt(pod, "status.containerStatuses");
  let status = phase;
  let failure = "";
  let ready = 0;
  for (const container of containers.toReversed()) {
    const waiting = textAt(container, "state.waiting.reason");
    const terminated = partAt(container, "state.terminated");
    if (waiting !== "") status = waiting;
    else if (terminated) {
      status = terminatedReason(terminated);
      if (numberAt(terminated, "exitCode") !== 0) failure = status;
    } else if (container.ready === true && partAt(container, "state.running")) ready += 1;
  }
  if (status === "Completed") status = completed(pod, { ready, failure });
  return { ...restartsOf(containers), ready, status };
}

/** The first container has completed; the others decide. */
function completed(pod: ApiObject, { ready, failure }: { ready: number; failure: string }): string {
  if (ready > 0 && conditionTrue(pod, "Ready")) return "Running";
  if (failure !== "") return failure;
  return ready > 0 ? "NotReady" : "Completed";
}
