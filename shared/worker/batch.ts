import type { Permission } from "../api/permissions.ts";
import { OVER } from "../clock.ts";
import { recordId } from "../queue/record-store.ts";
import { Acknowledger } from "./acknowledger.ts";
import { createDeadline, type Deadline } from "./deadline.ts";
import { type MessageGroup, sortBatch } from "./message-groups.ts";
import { runGroup } from "./run-group.ts";
import type { KindMemory } from "./run-scope.ts";
import type { BatchAnswer, Invocation, SqsRecord } from "./sqs-event.ts";
import type { WorkerOptions } from "./worker.ts";

/** Messages are invisible so much longer than the function can run: what a crash costs. */
const VISIBILITY_MARGIN_SECONDS = 10;

/** Requests that this code does not know are offered again after so long (Q12). */
const STRANGER_SECONDS = 60;

/** What the last acknowledgements may take before the process is ended. */
const LAST_CALL_MS = 300;

/** What a worker is made of, with what it keeps between invocations. */
export type Host = WorkerOptions & {
  readonly memory: KindMemory;
  /** What the definition allows. */
  readonly permissions: readonly Permission[];
};

/** One invocation. All state is its own; nothing of it outlives the answer. */
export class Batch {
  readonly #host: Host;
  readonly #records: readonly SqsRecord[];
  readonly #deadline: Deadline;
  readonly #acknowledger: Acknowledger;
  readonly #failed = new Set<string>();
  readonly #done = new AbortController();
  /** Settles once the visibility of all messages is set: later changes must not be overtaken by it. */
  #visible: Promise<unknown> = Promise.resolve();
  #unfinished = 0;

  constructor(host: Host, records: readonly SqsRecord[], invocation: Invocation) {
    this.#host = host;
    this.#records = records;
    this.#deadline = createDeadline(host.clock, invocation.getRemainingTimeInMillis());
    this.#acknowledger = new Acknowledger(host.queue, host.clock);
  }

  /**
   * Works the batch off. Never resolves with a run or an end pending (Q4): if one has not settled
   * 0.5 s before the deadline, the process ends.
   */
  async answer(): Promise<BatchAnswer> {
    const work = this.#work().then(() => "settled" as const);
    const exitMs = this.#deadline.untilExitMs();
    const late = this.#host.clock.sleep(exitMs, this.#done.signal).then(() => "late" as const);
    try {
      if ((await Promise.race([work, late])) === "late") await this.#giveUp();
      await Promise.race([this.#acknowledger.close(), late]); // One that hangs must not cost the answer.
    } finally {
      this.#done.abort(OVER);
      this.#deadline.dispose();
    }
    return { batchItemFailures: [...this.#failed].map((itemIdentifier) => ({ itemIdentifier })) };
  }

  async #work(): Promise<void> {
    const { queue, controller, cluster, log, metrics } = this.#host;
    const seconds = Math.ceil(this.#deadline.leftMs() / 1_000) + VISIBILITY_MARGIN_SECONDS;
    this.#visible = queue.changeVisibility(
      this.#records.map(({ receiptHandle }) => ({ receiptHandle, seconds })),
    );
    const sorted = sortBatch(this.#records, { cluster, controller: controller.name }, log);
    const skewed = sorted.strangers.length + sorted.newerCount;
    if (skewed > 0) metrics.count("VersionSkew", { controller: controller.name }, skewed);
    await Promise.all([
      this.#keep(sorted.strangers, STRANGER_SECONDS),
      ...sorted.unreadable.map(({ message, why }) => this.#bury(message, why)),
      this.#runAll(sorted.groups),
    ]);
    await this.#visible;
  }

  /**
   * Keys whose last run never ended may kill this invocation, too: each runs alone, after the others.
   * The one that failed least goes first, or a key that only shared a batch with a killer would wait
   * behind it for ever.
   */
  async #runAll(groups: readonly MessageGroup[]): Promise<void> {
    const crashed = groups.length > 1 ? await this.#crashed(groups) : new Map<string, number>();
    const failures = ({ request }: MessageGroup) => crashed.get(recordId(request)) ?? 0;
    const alone = groups
      .filter(({ request }) => crashed.has(recordId(request)))
      .sort((one, other) => failures(one) - failures(other));
    const together = groups.filter((group) => !alone.includes(group));
    this.#unfinished = groups.length;
    await Promise.all(together.map((group) => this.#run(group)));
    for (const [index, group] of alone.entries()) {
      const enough = this.#deadline.leftMs() >= this.#host.controller.timeoutSeconds * 500;
      if (enough || (index === 0 && together.length === 0)) await this.#run(group);
      else await this.#keep(group.messages, 1).then(() => this.#finished([]));
    }
  }

  /** Those whose last run never ended, with their failures. */
  async #crashed(groups: readonly MessageGroup[]): Promise<ReadonlyMap<string, number>> {
    const { store, clock, log } = this.#host;
    try {
      const { records } = await store.read(groups.map(({ request }) => request));
      const expired = [...records].filter(
        ([, { runId, runUntil = 0 }]) => runId !== undefined && runUntil < clock.nowMs(),
      );
      return new Map(expired.map(([id, { failures }]) => [id, failures]));
    } catch (error) {
      // Safe: who runs with whom is a matter of cost; each start decides for itself.
      log.warn("records not read before the start", { error });
      return new Map();
    }
  }

  async #run(group: MessageGroup): Promise<void> {
    const { request, messages } = group;
    try {
      const { done, failed } = await runGroup(this.#host, group, {
        deadline: this.#deadline,
        visible: this.#visible,
      });
      for (const { messageId } of failed) this.#failed.add(messageId);
      this.#finished(done);
    } catch (error) {
      // Safe: the messages stay in the queue, and the lock expires.
      const { controller, namespace, name } = request;
      this.#host.log.error("run not ended", { controller, namespace, name, error });
      for (const { messageId } of messages) this.#failed.add(messageId);
      this.#finished([]);
    }
  }

  /** Messages of the last group are acknowledged by the answer. */
  #finished(done: readonly SqsRecord[]): void {
    this.#unfinished -= 1;
    if (this.#unfinished === 0) return;
    this.#acknowledger.add(done.map(({ receiptHandle }) => receiptHandle));
  }

  /** These messages stay in the queue, and are offered again after so many seconds. */
  async #keep(messages: readonly SqsRecord[], seconds: number): Promise<void> {
    if (messages.length === 0) return;
    for (const { messageId } of messages) this.#failed.add(messageId);
    await this.#visible;
    await this.#host.queue.changeVisibility(
      messages.map(({ receiptHandle }) => ({ receiptHandle, seconds })),
    );
  }

  /** A message without a key can never be run: into the dead-letter queue with it (Q12). */
  async #bury({ messageId, body }: SqsRecord, why: string): Promise<void> {
    const { queue, cluster, controller, log, metrics } = this.#host;
    log.error("unreadable message goes to the dead-letter queue", { messageId, body, error: why });
    metrics.count("UnreadableMessages", { controller: controller.name });
    const nobody = { cluster, controller: controller.name, namespace: "", name: "" };
    try {
      await queue.deadLetter({ ...nobody, reason: "manual" }, why);
    } catch (error) {
      // Safe: it stays, and the queue's own redrive takes it in the end.
      log.error("dead-letter queue did not take a message", { messageId, error });
      this.#failed.add(messageId);
    }
  }

  /** A run has not settled: only the end of the process keeps it from going on after its lock. */
  async #giveUp(): Promise<never> {
    const { clock, log, exit } = this.#host;
    log.error("runs have not settled before the deadline: the process ends", {
      unfinished: this.#unfinished,
    });
    await Promise.race([this.#acknowledger.flush(), clock.sleep(LAST_CALL_MS)]);
    exit(1);
    return new Promise<never>(() => {}); // No answer, whatever exit does.
  }
}
