import type { Logger } from "../../shared/api/log.ts";
import type { Clock } from "../../shared/clock.ts";
import { Lease } from "../../shared/lease/lease.ts";
import type { LeaseStore } from "../../shared/lease/lease-store.ts";
import { loggerOf } from "../../shared/telemetry/logger-of.ts";
import type { Labels } from "../../shared/telemetry/metrics.ts";
import { type LeaseFault, MemoryLeaseStore } from "../../shared/testing/memory-lease-store.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";

export interface ReplicaOptions {
  readonly clock?: Clock;
  readonly store?: LeaseStore;
  readonly clusterUid?: string;
  readonly random?: () => number;
  /** What leads does between start and end; default: waits for its signal. */
  readonly lead?: (signal: AbortSignal) => Promise<void>;
}

/** Watchers of one platform, with a check that never two of them lead at once. */
export class Platform {
  readonly clock = new VirtualClock();
  readonly store = new MemoryLeaseStore();
  readonly replicas = new Map<string, Replica>();
  /** Pairs that led at once. */
  readonly overlaps: string[] = [];
  /** Starts and ends of terms, with the seconds since the beginning. */
  readonly history: string[] = [];
  #ids = 0;

  get leading(): string[] {
    return [...this.replicas.values()].filter(({ leads }) => leads).map(({ name }) => name);
  }

  start(name: string, options: ReplicaOptions = {}): Replica {
    const newId = () => `${name}-${++this.#ids}`;
    const replica = new Replica(this, { name, newId, ...options });
    this.replicas.set(name, replica);
    return replica;
  }

  /** Cuts a replica off, or does worse to it. */
  connection(fault: () => LeaseFault | undefined): LeaseStore {
    return this.store.connection({ fault, clock: this.clock });
  }

  check(): void {
    const acting = [...this.replicas.values()].filter(({ leads, lease }) => leads && lease.held);
    if (acting.length > 1) this.overlaps.push(acting.map(({ name }) => name).join("+"));
  }

  note(text: string): void {
    this.history.push(`${Math.round(this.clock.monotonicMs() / 1000)} ${text}`);
  }
}

/** One process that tries to lead. */
export class Replica {
  readonly name: string;
  readonly lease: Lease;
  readonly ended: Promise<void>;
  readonly logged: string[] = [];
  readonly counted = new Map<string, number>();
  readonly terms: number[] = [];
  leads = false;
  exits = 0;
  readonly #stop = new AbortController();

  constructor(
    platform: Platform,
    options: ReplicaOptions & { readonly name: string; readonly newId: () => string },
  ) {
    const { name, newId, clock = platform.clock, lead = untilAborted } = options;
    this.name = name;
    this.lease = new Lease({
      store: options.store ?? platform.store,
      clock,
      holder: name,
      clusterUid: options.clusterUid ?? "uid-1",
      newId,
      random: options.random ?? (() => 0.5),
      log: this.#log(),
      metrics: { count: this.#count, observe: this.#count, gauge: () => {} },
      exit: () => {
        this.exits += 1;
      },
    });
    const led = async (signal: AbortSignal, term: number) => {
      this.leads = true;
      this.terms.push(term);
      platform.note(`${name} leads`);
      platform.check();
      const end = () => {
        if (!this.leads) return;
        this.leads = false;
        platform.note(`${name} stops`);
      };
      signal.addEventListener("abort", end, { once: true });
      await lead(signal).finally(end);
    };
    this.ended = this.lease.whileHeld(led, this.#stop.signal);
    this.ended.catch(() => {});
  }

  stop(): void {
    this.#stop.abort();
  }

  #count = (name: string, _labels?: Labels | number): void => {
    this.counted.set(name, (this.counted.get(name) ?? 0) + 1);
  };

  #log(): Logger {
    return loggerOf((level, message) => this.logged.push(`${level} ${message}`));
  }
}

/** Resolves when the signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** A clock that stops a process where it stands, as SIGSTOP does: time passes, nothing runs. */
export function freezable(clock: Clock): Clock & { freeze(): void; thaw(): void } {
  let thawed = Promise.resolve();
  let thaw = () => {};
  return {
    nowMs: clock.nowMs,
    monotonicMs: clock.monotonicMs,
    async sleep(ms, signal) {
      await clock.sleep(ms, signal);
      await thawed;
    },
    freeze() {
      thawed = new Promise((resolve) => {
        thaw = resolve;
      });
    },
    thaw: () => thaw(),
  };
}
