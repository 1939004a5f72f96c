import type { Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";
import { JournalError } from "./journal.ts";
import { SQS_ACTIONS } from "./sqs-actions.ts";
import { noQueue, SqsError } from "./sqs-error.ts";
import { type SqsFault, SqsFaults } from "./sqs-faults.ts";
import { objectOf, type SqsInput, textOf } from "./sqs-input.ts";
import type { SqsQueue } from "./sqs-queue.ts";
import type { SqsCall, SqsService } from "./sqs-service.ts";
import { type SqsChange, type SqsState, SqsStore } from "./sqs-store.ts";
import { SqsWakeups } from "./sqs-wakeups.ts";

/** The account of all queues. */
const ACCOUNT = "000000000000";

export interface SqsCoreOptions {
  readonly clock: Clock;
  /** Unique each time; 1 to 64 letters, digits and hyphens. Becomes message ids and receipts. */
  readonly newId: () => string;
  readonly log: Logger;
  /** Where queues and messages are kept; in memory alone by default. */
  readonly state?: SqsState | undefined;
  /** The beginning of queue URLs. */
  readonly baseUrl?: string;
  /** As in queue ARNs; `us-east-1` by default. */
  readonly region?: string;
}

/**
 * An SQS service: the actions of the API as plain calls, over HTTP or without.
 *
 * It keeps time by its clock alone. Where it differs from AWS: no throttling, no permissions, a
 * queue can be created again at once, a FIFO queue looks for groups in the whole backlog and not
 * only in its first 120,000 messages, and standard queues deliver in order and once.
 */
export class SqsCore implements SqsService {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly #log: Logger;
  readonly #baseUrl: string;
  readonly #region: string;
  readonly #store: SqsStore;
  readonly #wakeups: SqsWakeups;
  readonly #faults: SqsFaults;
  #closed = false;

  /** Reads what the state has kept; throws where that cannot be read. */
  constructor({ clock, newId, log, state, baseUrl, region }: SqsCoreOptions) {
    this.clock = clock;
    this.newId = newId;
    this.#log = log;
    this.#baseUrl = baseUrl ?? "http://sqs.localhost";
    this.#region = region ?? "us-east-1";
    this.#store = new SqsStore(clock, state);
    this.#wakeups = new SqsWakeups(clock);
    this.#faults = new SqsFaults(clock);
  }

  get closed(): boolean {
    return this.#closed;
  }

  get queues(): ReadonlyMap<string, SqsQueue> {
    return this.#store.queues;
  }

  /**
   * Resolves to the answer of an action such as "SendMessage", in the shapes of the JSON protocol
   * (binary values are base64). Rejects with SqsError, and with nothing else.
   */
  async call(action: string, input: unknown, call: SqsCall = {}): Promise<object> {
    try {
      if (this.#closed) throw new SqsError("ServiceUnavailable", "The server is stopping.");
      const run = Object.hasOwn(SQS_ACTIONS, action) ? SQS_ACTIONS[action] : undefined;
      if (!run) throw unknownOperation(action);
      return await this.#faults.run(action, objectOf(input, "the body"), (left) =>
        run(this, left, call),
      );
    } catch (error) {
      if (error instanceof SqsError) throw error;
      if (!(error instanceof JournalError)) this.#log.error("sqs call failed", { action, error });
      const why = error instanceof Error ? error.message : String(error);
      throw new SqsError("InternalFailure", `${action} failed: ${why}`, { cause: error });
    }
  }

  /**
   * Makes messages visible of whose receivers nothing was heard. Only for a caller who knows that no
   * receiver lives any more: one that did would find its receipts expired. Those that were hidden for
   * a time of their own, as a retry that waits is, stay so. The receive counts.
   */
  giveBackUnheard(): void {
    const nowMs = this.clock.nowMs();
    for (const queue of this.queues.values()) {
      for (const { seq, unheard, visibleAtMs } of queue.messages()) {
        if (!unheard || visibleAtMs <= nowMs) continue;
        const step = { op: "hide", seq, visibleAtMs: nowMs, freed: true } as const;
        this.commit({ queue: queue.name, step });
      }
    }
  }

  /** Swallows no send for the sake of an earlier one: what ids were made of begins anew. */
  forgetSent(): void {
    for (const queue of this.queues.keys()) this.commit({ queue, step: { op: "forget" } });
  }

  /** Makes something go wrong with the next calls. */
  inject(fault: SqsFault): void {
    this.#faults.add(fault);
  }

  /** Nothing that was injected befalls any further call. */
  clearFaults(): void {
    this.#faults.clear();
  }

  /** Ends all long polls with an empty answer, refuses further calls, and closes the state. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#wakeups.wakeAll();
    this.#store.close();
  }

  queueOf(input: SqsInput): SqsQueue {
    const url = textOf(input, "QueueUrl") ?? "";
    const [, account, name] = /([^/]+)\/([^/]+)$/.exec(url) ?? [];
    const queue = account === ACCOUNT && name ? this.queues.get(name) : undefined;
    if (!queue) throw noQueue(url);
    return queue;
  }

  urlOf(name: string, { baseUrl = this.#baseUrl }: SqsCall): string {
    return `${baseUrl}/${ACCOUNT}/${name}`;
  }

  arnOf(name: string): string {
    return `arn:aws:sqs:${this.#region}:${ACCOUNT}:${name}`;
  }

  queueByArn(arn: string): SqsQueue | undefined {
    const name = arn.slice(arn.lastIndexOf(":") + 1);
    return this.arnOf(name) === arn ? this.queues.get(name) : undefined;
  }

  takeSeq(): number {
    return this.#store.takeSeq();
  }

  commit(...changes: readonly SqsChange[]): void {
    this.#store.commit(changes);
    for (const queue of new Set(changes.map((change) => change.queue))) this.#wakeups.wake(queue);
  }

  dropExpired(queue: SqsQueue): void {
    const seqs = queue.expired(this.clock.nowMs());
    if (seqs.length > 0) this.commit({ queue: queue.name, step: { op: "remove", seqs } });
  }

  async wait(queue: string, ms: number, signal?: AbortSignal): Promise<void> {
    await this.#wakeups.wait(queue, ms, signal);
  }
}

function unknownOperation(action: string): SqsError {
  return new SqsError("UnknownOperationException", `The action ${action} is not supported.`);
}
