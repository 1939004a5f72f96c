import type { Controller } from "../shared/api/controller.ts";
import { NO_RECORD, type ObjectRecord } from "../shared/queue/record.ts";
import type { RecordStore } from "../shared/queue/record-store.ts";
import type { RequestKey } from "../shared/queue/request.ts";
import { type CacheSnapshot, snapshotOf } from "./cache-snapshot.ts";
import type { ControllerSources } from "./controller-sources.ts";
import { coveredKey } from "./covered-key.ts";
import type { ForwardLoop } from "./forward-loop.ts";
import { entryOf, type JudgedKey, judgeKey, type PassMode, type Verdict } from "./judge-key.ts";
import { keyText } from "./kept-object.ts";
import type { RevisionGuard } from "./revision-guard.ts";
import type { SlowLane } from "./slow-lane.ts";
import { visitRecords } from "./visit-records.ts";

export interface PassOptions {
  readonly cluster: string;
  readonly controller: Pick<Controller, "name" | "onStart">;
  readonly sources: Pick<ControllerSources, "cached" | "holds" | "kinds" | "listed" | "ready">;
  readonly store: Pick<RecordStore, "list">;
  readonly loop: Pick<ForwardLoop, "add">;
  readonly lane: Pick<SlowLane, "add" | "size">;
  readonly serverNowMs: () => number;
}

/** What one pass looks for. */
export interface BackfillPass extends Omit<PassMode, "revision"> {
  /** Of the deployed revision; absent while none is known: then nothing is covered. */
  readonly guard?: RevisionGuard;
}

export interface PassResult {
  readonly covered: number;
  readonly changed: number;
  readonly revision: number;
  readonly all: number;
  /** Keys that old code may have run, or may run right now. */
  readonly stale: number;
}

/** So many keys that one pass finds changed go like live changes; the others are slowed. */
const FAST_KEYS = 1_000;

/**
 * Looks through every key that cached objects map to, and every record whose object a successful
 * list no longer holds, and requests those that are not covered. Resolves to undefined when the
 * signal was aborted; rejects when the records cannot be listed.
 */
export async function backfillPass(
  options: PassOptions,
  mode: BackfillPass,
  signal: AbortSignal,
): Promise<PassResult | undefined> {
  const { store, cluster, controller } = options;
  const pass = new Pass(options, mode);
  const records = { store, cluster, controller: controller.name };
  const visit = (key: RequestKey, record: ObjectRecord) => pass.judge(key, record);
  if (!(await visitRecords(records, visit, signal))) return undefined;
  pass.judgeRest();
  return pass.found;
}

class Pass {
  readonly #options: PassOptions;
  readonly #mode: BackfillPass;
  readonly #snapshot: CacheSnapshot;
  readonly #seen = new Set<string>();
  readonly found = { covered: 0, changed: 0, revision: 0, all: 0, stale: 0 };

  constructor(options: PassOptions, mode: BackfillPass) {
    this.#options = options;
    this.#mode = mode;
    this.#snapshot = snapshotOf(options.sources);
  }

  judge(key: RequestKey, record: ObjectRecord): void {
    this.#seen.add(keyText(key));
    const judged = this.#judged(key, record);
    const { guard, ...rest } = this.#mode;
    const verdict = judgeKey(judged, { ...rest, revision: guard?.revision });
    this.found[verdict] += 1;
    if (verdict === "revision") this.found.stale += 1;
    this.#request(judged, verdict);
  }

  /** The keys without a record. */
  judgeRest(): void {
    const { cluster, controller } = this.#options;
    for (const [text, { key }] of this.#snapshot.byKey) {
      if (this.#seen.has(text)) continue;
      const { namespace, name } = key;
      this.judge({ cluster, controller: controller.name, namespace, name }, NO_RECORD);
    }
  }

  #request(judged: JudgedKey, verdict: Verdict): void {
    if (verdict === "covered") return;
    const { loop, lane } = this.#options;
    const { guard } = this.#mode;
    const entry = entryOf(judged, verdict);
    if (verdict === "changed" && this.found.changed <= FAST_KEYS) loop.add(entry);
    else lane.add({ entry, ...(verdict === "revision" && guard && { guard }) });
  }

  #judged(key: RequestKey, record: ObjectRecord): JudgedKey {
    return {
      key,
      record,
      gone: this.#gone(key),
      mapped: this.#snapshot.byKey.has(keyText(key)),
      died: this.#died(record),
      covered: (now) => this.#covered(key, now),
    };
  }

  #gone(key: RequestKey): boolean {
    const { sources } = this.#options;
    return sources.listed && !sources.holds(key);
  }

  #covered(key: RequestKey, record: ObjectRecord): boolean {
    return coveredKey(record, {
      text: keyText(key),
      revision: this.#mode.guard?.revision,
      snapshot: this.#snapshot,
      kinds: this.#options.sources.kinds(),
    });
  }

  /** Its run never ended: no code of any revision is at work on it. */
  #died({ runId, runUntil = 0 }: ObjectRecord): boolean {
    return runId !== undefined && runUntil < this.#options.serverNowMs();
  }
}
