import type { ApiObject } from "../../local/kube/api-object.ts";
import type { PlatformProcess } from "../../shared/testing/platform-process.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import type { AnyReconciler } from "../../shared/worker/run-object.ts";
import { Cluster } from "./cluster.ts";
import { building, CONTROLLERS, inspecting, type Outside, ticks } from "./controllers.ts";
import type { Dont } from "./donts.ts";
import { Draws } from "./draws.ts";
import { EventLog } from "./event-log.ts";
import { History, type Run } from "./history.ts";
import { DEFINITIONS } from "./kinds.ts";
import { NAMESPACE } from "./objects.ts";
import { Platform } from "./platform.ts";

export interface WorldOptions {
  readonly seed: number;
  readonly dont?: Dont | undefined;
  /** Told of each event, for those who look into one seed. */
  readonly listener?: ((line: string) => void) | undefined;
}

const immediate = setImmediate;
/** All that needs no time has happened once the microtasks have run. */
const rest = () =>
  new Promise<void>((resolve) => {
    immediate(resolve);
  });

/** Everything that there is in one simulation: time, cluster, Tidegate, and what is outside. */
export class World {
  readonly clock = new VirtualClock(undefined, rest);
  readonly draws: Draws;
  readonly log: EventLog;
  readonly history: History;
  readonly cluster: Cluster;
  readonly platform: Platform;
  readonly things = new Map<string, string>();
  /** Names of objects whose thing outside cannot be removed now. */
  readonly stuck = new Set<string>();
  readonly #frozen = new Set<PlatformProcess>();
  /** Objects that users made so far. */
  made = 0;
  /** What the server reported of itself. */
  readonly serverFaults: string[] = [];

  constructor({ seed, dont, listener }: WorldOptions) {
    const { clock } = this;
    this.draws = new Draws(seed);
    this.log = new EventLog(clock, listener);
    this.history = new History(clock);
    this.cluster = new Cluster(clock, this.draws.fork("cluster"), (error) =>
      this.serverFaults.push(String(error)),
    );
    const { draws, log, history, cluster } = this;
    this.platform = new Platform({
      clock,
      draws: draws.fork("platform"),
      cluster,
      history,
      log,
      controllers: CONTROLLERS,
      code: this.#code,
      ...(dont && { dont }),
    });
    const latency = draws.fork("latency");
    this.cluster.latency = () =>
      latency.chance(0.01) ? latency.between(100, 3_000) : latency.between(1, 15);
    this.platform.latency = () =>
      latency.chance(0.01) ? latency.between(50, 1_000) : latency.between(1, 5);
  }

  async start(): Promise<void> {
    for (const definition of DEFINITIONS) {
      const { apiVersion, kind, metadata } = definition;
      const definitions = {
        apiVersion,
        kind,
        plural: "customresourcedefinitions",
        scope: "Cluster",
      } as const;
      const key = { namespace: "", name: metadata.name };
      await this.cluster.client.apply(definitions, key, definition, { fieldManager: "user" });
      await this.clock.advance(1_000);
    }
    for (const resource of RESOURCES) {
      this.cluster.api.store.subscribe(resource, ({ type, object, version }) => {
        this.log.add("change", `${type} ${resource} ${object.metadata.name}@${version}`);
        if (type === "ADDED" && resource !== CHILDREN) this.made += 1;
      });
    }
    await this.platform.start();
  }

  /** Does something later. */
  after(ms: number, act: () => void): void {
    void this.clock.sleep(ms).then(act);
  }

  /** Notes that a process stands still; false for one that does already, which must not be frozen again. */
  freeze(process: PlatformProcess): boolean {
    if (this.#frozen.has(process)) return false;
    this.#frozen.add(process);
    return true;
  }

  thaw(process: PlatformProcess): void {
    this.#frozen.delete(process);
    process.thaw();
  }

  /** The objects of a kind as they are, whatever anybody believes. */
  objects(resource: string): readonly ApiObject[] {
    return this.cluster.api.store.list(resource, "");
  }

  readonly #code = (controller: string, revision: string, read: Run["read"]): AnyReconciler => {
    const { things, stuck, history } = this;
    const outside: Outside = { things, stuck: (name) => stuck.has(name) };
    const failures = () => history.runs.length;
    if (controller === "builder") {
      const late = (name: string) =>
        history.runsOf(controller, `${NAMESPACE}/${name}`).at(-1)?.read !== read;
      return building({ revision, outside, read, failures, late }) as unknown as AnyReconciler;
    }
    return (controller === "inspector" ? inspecting() : ticks()) as unknown as AnyReconciler;
  };
}

export const GADGETS = "sim.example.com/gadgets";
export const SETTINGS = "sim.example.com/settings";
export const TICKERS = "sim.example.com/tickers";
export const CHILDREN = "/configmaps";
const RESOURCES = [GADGETS, SETTINGS, TICKERS, CHILDREN];
