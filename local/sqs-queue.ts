import { DedupMemory, type SqsOriginal } from "./sqs-dedup.ts";
import { SqsHeap } from "./sqs-heap.ts";
import type { SqsMessage } from "./sqs-message.ts";

/** The attributes of a queue that were given or have a default, as texts, as AWS has them. */
export type SqsQueueAttributes = Readonly<Record<string, string>>;

/** A step of a queue. What steps did to one queue, the same steps do to another one. */
export type SqsQueueChange =
  | { readonly op: "set"; readonly attributes: SqsQueueAttributes; readonly atMs: number }
  | { readonly op: "add"; readonly message: SqsMessage; readonly original?: SqsOriginal }
  | { readonly op: "remember"; readonly originals: readonly SqsOriginal[]; readonly atMs: number }
  | {
      readonly op: "take";
      readonly seq: number;
      readonly receipt: string;
      readonly atMs: number;
      readonly visibleAtMs: number;
    }
  | {
      readonly op: "hide";
      readonly seq: number;
      readonly visibleAtMs: number;
      readonly freed?: boolean;
    }
  | { readonly op: "remove"; readonly seqs: readonly number[] }
  | { readonly op: "purge" | "forget" };

interface Group {
  readonly key: string;
  /** In order of `seq`. */
  readonly messages: Map<number, SqsMessage>;
  /** Its only valid entry in the heaps: others of it are left over and skipped. */
  entry?: Entry;
}

interface Entry {
  readonly group: Group;
  readonly seq: number;
  readonly atMs: number;
}

/**
 * The messages of one queue, in memory: a state machine without clock, protocol or disk.
 *
 * S1. Messages of a group are delivered in order of `seq`, and only those before the first one of
 *     the group that is in flight or delayed (the prefix rule). So a group whose first message is
 *     hidden is locked, and a message that is visible again comes before the later ones.
 * S2. Groups are served in the order of their first message, and one that is locked holds up no other.
 * S3. In a standard queue each message is a group of its own.
 * S4. Nothing changes but by `apply`; whatever decides asks first and applies later.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-queues-understanding-logic.html
 */
export class SqsQueue {
  readonly name: string;
  readonly createdAtMs: number;
  /**
   * The deduplication scope that counts: a later change of the attribute did not take effect in
   * recordings of AWS either.
   */
  readonly dedupScope: string | undefined;
  readonly dedup = new DedupMemory();
  #attributes: SqsQueueAttributes;
  #modifiedAtMs: number;
  readonly #messages = new Map<number, SqsMessage>();
  readonly #groups = new Map<string, Group>();
  /** Groups whose first message is visible, as far as was known at the last look. */
  readonly #ready = new SqsHeap<Entry>((entry) => entry.seq);
  /** The other groups, by the time at which their first message becomes visible. */
  readonly #later = new SqsHeap<Entry>((entry) => entry.atMs);

  constructor(name: string, attributes: SqsQueueAttributes, createdAtMs: number) {
    this.name = name;
    this.#attributes = attributes;
    this.dedupScope = attributes.DeduplicationScope;
    this.createdAtMs = createdAtMs;
    this.#modifiedAtMs = createdAtMs;
  }

  get fifo(): boolean {
    return this.name.endsWith(".fifo");
  }

  get attributes(): SqsQueueAttributes {
    return this.#attributes;
  }

  get modifiedAtMs(): number {
    return this.#modifiedAtMs;
  }

  get size(): number {
    return this.#messages.size;
  }

  /** An attribute that is a number. */
  number(name: string): number {
    return Number(this.#attributes[name] ?? 0);
  }

  message(seq: number): SqsMessage | undefined {
    return this.#messages.get(seq);
  }

  messages(): IterableIterator<SqsMessage> {
    return this.#messages.values();
  }

  /** Up to `max` messages that can be received now (S1, S2); changes nothing that can be seen. */
  deliverable(nowMs: number, max: number): SqsMessage[] {
    this.#promote(nowMs);
    const found: SqsMessage[] = [];
    const served: Entry[] = [];
    while (found.length < max) {
      const entry = this.#ready.pop();
      if (!entry) break;
      if (entry.group.entry !== entry) continue;
      if (entry.atMs > nowMs) {
        this.#later.push(entry); // The wall clock went back.
        continue;
      }
      served.push(entry);
      found.push(...visiblePrefix(entry.group, nowMs, max - found.length));
    }
    for (const entry of served) this.#ready.push(entry);
    return found;
  }

  /** When a message becomes visible next, if any waits for that. */
  nextVisibleMs(): number | undefined {
    for (;;) {
      const entry = this.#later.peek();
      if (!entry || entry.group.entry === entry) return entry?.atMs;
      this.#later.pop();
    }
  }

  /** The messages at the front that are older than the retention period. */
  expired(nowMs: number): number[] {
    const retentionMs = this.number("MessageRetentionPeriod") * 1_000;
    const seqs: number[] = [];
    for (const { seq, sentAtMs } of this.#messages.values()) {
      if (sentAtMs + retentionMs > nowMs) break;
      seqs.push(seq);
    }
    return seqs;
  }

  /** Messages that can be received, are in flight, and are delayed. */
  counts(nowMs: number): { visible: number; inFlight: number; delayed: number } {
    const counts = { visible: 0, inFlight: 0, delayed: 0 };
    for (const message of this.#messages.values()) {
      if (message.visibleAtMs <= nowMs) counts.visible += 1;
      else if (message.receipt === undefined) counts.delayed += 1;
      else counts.inFlight += 1;
    }
    return counts;
  }

  /** Carries out a step. One about a message that is gone does nothing. */
  apply(change: SqsQueueChange): void {
    if (change.op === "set") this.#set(change.attributes, change.atMs);
    else if (change.op === "add") this.#add(change.message, change.original);
    else if (change.op === "take") this.#take(change);
    else if (change.op === "hide") this.#hide(change);
    else if (change.op === "remove") for (const seq of change.seqs) this.#remove(seq);
    else if (change.op === "remember") this.#remember(change.originals, change.atMs);
    else if (change.op === "forget") this.dedup.clear();
    else this.#purge();
  }

  /** Steps that make the same queue out of a new one of the same name and deduplication scope. */
  *steps(nowMs: number): Generator<SqsQueueChange> {
    yield { op: "set", attributes: this.#attributes, atMs: this.#modifiedAtMs };
    yield { op: "remember", originals: this.dedup.list(nowMs), atMs: nowMs };
    for (const message of this.#messages.values()) yield { op: "add", message };
  }

  #set(attributes: SqsQueueAttributes, atMs: number): void {
    const delayed = attributes.DelaySeconds !== this.#attributes.DelaySeconds;
    this.#attributes = attributes;
    this.#modifiedAtMs = atMs;
    if (!delayed || !this.fifo) return;
    // A new delay holds for messages already in a FIFO queue, and not in a standard one.
    // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-delay-queues.html
    const delayMs = this.number("DelaySeconds") * 1_000;
    // Putting a message back under its number leaves the iteration as it is.
    for (const message of this.#messages.values()) {
      if (message.receipt !== undefined) continue;
      this.#put({ ...message, visibleAtMs: message.sentAtMs + delayMs });
    }
  }

  #add(message: SqsMessage, original: SqsOriginal | undefined): void {
    this.#put(message);
    if (original) this.dedup.add(original, message.sentAtMs);
  }

  #remember(originals: readonly SqsOriginal[], atMs: number): void {
    for (const original of originals) this.dedup.add(original, atMs);
  }

  #take({ seq, receipt, atMs, visibleAtMs }: SqsQueueChange & { op: "take" }): void {
    const message = this.#messages.get(seq);
    if (!message) return;
    this.#put({
      ...message,
      receipt,
      visibleAtMs,
      receiveCount: message.receiveCount + 1,
      firstReceivedAtMs: message.firstReceivedAtMs ?? atMs,
      receivedAtMs: atMs,
      unheard: true,
      freed: false,
    });
  }

  #hide({ seq, visibleAtMs, freed = false }: SqsQueueChange & { op: "hide" }): void {
    const message = this.#messages.get(seq);
    if (message) this.#put({ ...message, visibleAtMs, unheard: false, freed });
  }

  #put(message: SqsMessage): void {
    const key = this.#keyOf(message);
    let group = this.#groups.get(key);
    if (!group) {
      group = { key, messages: new Map() };
      this.#groups.set(key, group);
    }
    this.#messages.set(message.seq, message);
    group.messages.set(message.seq, message);
    this.#index(group);
  }

  #remove(seq: number): void {
    const message = this.#messages.get(seq);
    const group = message && this.#groups.get(this.#keyOf(message));
    if (!group) return;
    this.#messages.delete(seq);
    group.messages.delete(seq);
    this.#index(group);
  }

  #purge(): void {
    this.#messages.clear();
    this.#groups.clear();
    this.#ready.clear();
    this.#later.clear();
  }

  #keyOf({ seq, groupId }: SqsMessage): string {
    return this.fifo ? (groupId ?? "") : String(seq);
  }

  /** Gives the group an entry for its present first message. */
  #index(group: Group): void {
    const [head] = group.messages.values();
    if (!head) {
      delete group.entry;
      this.#groups.delete(group.key);
      return;
    }
    const { seq, visibleAtMs: atMs } = head;
    if (group.entry?.seq === seq && group.entry.atMs === atMs) return;
    group.entry = { group, seq, atMs };
    this.#later.push(group.entry);
    this.#sweep();
  }

  /** Moves the groups whose time has come to those that are ready. */
  #promote(nowMs: number): void {
    for (let entry = this.#later.peek(); entry; entry = this.#later.peek()) {
      if (entry.atMs > nowMs) return;
      this.#later.pop();
      if (entry.group.entry === entry) this.#ready.push(entry);
    }
  }

  /** Drops left-over entries once most are such, or long timeouts would pile them up. */
  #sweep(): void {
    if (this.#later.size + this.#ready.size < 1_000 + 4 * this.#groups.size) return;
    this.#later.clear();
    this.#ready.clear();
    for (const { entry } of this.#groups.values()) if (entry) this.#later.push(entry);
  }
}

function visiblePrefix(group: Group, nowMs: number, max: number): SqsMessage[] {
  const prefix: SqsMessage[] = [];
  for (const message of group.messages.values()) {
    if (prefix.length === max || message.visibleAtMs > nowMs) break;
    prefix.push(message);
  }
  return prefix;
}
