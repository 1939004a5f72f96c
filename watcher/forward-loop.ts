import type { Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";
import { Bell } from "./bell.ts";
import type { Fate, Forwarder } from "./forwarder.ts";
import { PendingChanges } from "./pending-changes.ts";
import type { PendingEntry } from "./pending-entry.ts";

export interface ForwardLoopOptions {
  readonly controller: string;
  readonly forwarder: Forwarder;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Batches on their way at once. Each waits for two round trips, and a slow one must not hold up the rest. */
const MAX_FLIGHTS = 8;

/** How long a key waits whose run is live: doubling up to the second. */
const HOLD_MS = { first: 100, most: 1_000 };

/** How long a key waits that the queue did not accept; the adapter has retried a few times by then. */
const FAILED_MS = { first: 250, most: 30_000 };

const IDLE_MS = 60_000;
const QUIET_MS = 60_000;

/** Forwards what changes while we lead, in batches. Nothing that was added is dropped while it runs. */
export class ForwardLoop {
  readonly #options: ForwardLoopOptions;
  readonly #pending = new PendingChanges();
  readonly #flights = new Set<Promise<void>>();
  readonly #bell: Bell;
  #loggedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ForwardLoopOptions) {
    this.#options = options;
    this.#bell = new Bell(options.clock);
  }

  /** Keys that wait. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Whether keys wait that could go at once. */
  get behind(): boolean {
    return (this.#pending.readyAtMs() ?? Number.POSITIVE_INFINITY) <= this.#nowMs();
  }

  add(entry: PendingEntry): void {
    this.#pending.add(entry, this.#nowMs());
    this.#bell.ring();
  }

  /** Resolves once the signal is aborted and nothing is sent any more. What waits then is forgotten: the next leader's backfill finds it. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const room = this.#flights.size < MAX_FLIGHTS;
      const batch = room ? this.#take() : [];
      if (batch.length > 0) this.#start(batch, signal);
      else await this.#bell.wait(room ? this.#idleMs() : IDLE_MS, signal);
    }
    await Promise.all(this.#flights);
    this.#pending.clear();
  }

  #start(batch: readonly PendingEntry[], signal: AbortSignal): void {
    const flight = this.#fly(batch, signal).finally(() => {
      this.#flights.delete(flight);
      this.#bell.ring();
    });
    this.#flights.add(flight);
  }

  async #fly(batch: readonly PendingEntry[], signal: AbortSignal): Promise<void> {
    const fates = await this.#options.forwarder.forward(batch, signal, { inDoubt: true });
    const failed = batch.filter((_, index) => fates[index]?.kind === "failed");
    for (const [index, entry] of batch.entries()) {
      const waitMs = waitOf(fates[index], entry.waits);
      if (waitMs === undefined) continue;
      this.#pending.putBack({ ...entry, waits: entry.waits + 1 }, this.#nowMs() + waitMs);
    }
    if (failed[0] && !signal.aborted) this.#report(failed[0], failed.length);
  }

  #report({ key, waits }: PendingEntry, keys: number): void {
    const { log, controller } = this.#options;
    if (this.#nowMs() - this.#loggedAtMs < QUIET_MS) return;
    this.#loggedAtMs = this.#nowMs();
    const { namespace, name } = key;
    log.error("queue did not accept requests; they are kept and sent again", {
      controller,
      keys,
      namespace,
      name,
      attempts: waits + 1,
    });
  }

  #take(): readonly PendingEntry[] {
    const { forwarder } = this.#options;
    return this.#pending.take(this.#nowMs(), (id) => forwarder.busy(id));
  }

  #idleMs(): number {
    const readyAtMs = this.#pending.readyAtMs();
    return readyAtMs === undefined ? IDLE_MS : Math.max(0, readyAtMs - this.#nowMs());
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }
}

/** How long an entry must wait that is not done with. */
function waitOf(fate: Fate | undefined, waits: number): number | undefined {
  switch (fate?.kind) {
    case "held":
      return Math.min(HOLD_MS.most, HOLD_MS.first * 2 ** waits);
    case "failed":
      return Math.min(FAILED_MS.most, FAILED_MS.first * 2 ** waits);
    case "unread":
      return fate.againInMs;
    case "busy":
      return HOLD_MS.first;
    default:
      return undefined;
  }
}
