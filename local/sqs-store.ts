import type { Clock } from "../shared/clock.ts";
import { SqsQueue, type SqsQueueAttributes, type SqsQueueChange } from "./sqs-queue.ts";

/** A step of the server: of one queue, or of the list of queues. Plain data, one line of the journal or part of it. */
export type SqsChange =
  | { readonly queue: string; readonly step: SqsQueueChange }
  | {
      readonly queue: string;
      readonly step: {
        readonly op: "create";
        readonly attributes: SqsQueueAttributes;
        readonly atMs: number;
      };
    }
  | { readonly queue: string; readonly step: { readonly op: "drop" } }
  | { readonly queue: ""; readonly step: { readonly op: "count"; readonly nextSeq: number } };

/** Where changes are kept so that they survive the process. */
export interface SqsState {
  /** Every change since the beginning, or others that lead to the same. Called once, first. */
  load(): Iterable<SqsChange>;
  /** Keeps changes, all or none of them; throws where it cannot. */
  append(changes: readonly SqsChange[]): void;
  /** Whether it has grown so much that `compact` is worth while. */
  readonly full: boolean;
  /** Replaces all that is kept by these changes; on failure what was kept stays. */
  compact(changes: Iterable<SqsChange>): void;
  close(): void;
}

/** All queues. What is on disk is never behind what callers were told: a change is kept first and carried out then. */
export class SqsStore {
  readonly #clock: Clock;
  readonly #state: SqsState | undefined;
  readonly #queues = new Map<string, SqsQueue>();
  #nextSeq = 1;

  constructor(clock: Clock, state?: SqsState) {
    this.#clock = clock;
    this.#state = state;
    for (const change of state?.load() ?? []) this.#apply(change);
  }

  get queues(): ReadonlyMap<string, SqsQueue> {
    return this.#queues;
  }

  /** A number that no message has yet. */
  takeSeq(): number {
    this.#nextSeq += 1;
    return this.#nextSeq - 1;
  }

  /** Keeps the changes and carries them out; throws, having done neither, where they cannot be kept. */
  commit(changes: readonly SqsChange[]): void {
    if (changes.length === 0) return;
    this.#state?.append(changes);
    for (const change of changes) this.#apply(change);
    if (this.#state?.full) this.#state.compact(this.#snapshot());
  }

  close(): void {
    this.#state?.close();
  }

  #apply({ queue: name, step }: SqsChange): void {
    if (step.op === "create") {
      this.#queues.set(name, new SqsQueue(name, step.attributes, step.atMs));
    } else if (step.op === "drop") {
      this.#queues.delete(name);
    } else if (step.op === "count") {
      this.#nextSeq = Math.max(this.#nextSeq, step.nextSeq);
    } else {
      if (step.op === "add") this.#nextSeq = Math.max(this.#nextSeq, step.message.seq + 1);
      this.#queues.get(name)?.apply(step);
    }
  }

  *#snapshot(): Generator<SqsChange> {
    yield { queue: "", step: { op: "count", nextSeq: this.#nextSeq } };
    for (const [name, queue] of this.#queues) {
      const { attributes, dedupScope, createdAtMs: atMs } = queue;
      const initial = dedupScope ? { ...attributes, DeduplicationScope: dedupScope } : attributes;
      yield { queue: name, step: { op: "create", attributes: initial, atMs } };
      for (const step of queue.steps(this.#clock.nowMs())) yield { queue: name, step };
    }
  }
}
