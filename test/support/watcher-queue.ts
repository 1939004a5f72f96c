import type { Clock } from "../../shared/clock.ts";
import type { ReconcileRequest } from "../../shared/queue/request.ts";
import { encodeRequest } from "../../shared/queue/request-codec.ts";
import type { OutgoingRequest, RequestQueue } from "../../shared/queue/request-queue.ts";

/** A request as the watcher sent it. */
export interface SentRequest {
  readonly request: ReconcileRequest;
  readonly cause: string;
  readonly atMs: number;
  /** Accepted, but not queued: the same id was sent less than 5 minutes ago. */
  readonly swallowed: boolean;
}

const DEDUPLICATION_MS = 300_000;

/** A FIFO queue that keeps what was sent, and swallows by group and id for 5 minutes as SQS does. */
export class WatcherQueue implements RequestQueue {
  readonly sent: SentRequest[] = [];
  readonly woken: string[] = [];
  /** Decides for each request whether it is accepted. */
  accepts: (request: ReconcileRequest) => boolean = () => true;
  /** Awaited by each send before it happens. */
  delay: () => Promise<void> = async () => {};
  readonly #clock: Clock;
  readonly #idsAtMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What a worker could receive: "namespace/name reason", in the order of sending. */
  get queued(): readonly string[] {
    return this.sent
      .filter(({ swallowed }) => !swallowed)
      .map(({ request }) => `${request.namespace}/${request.name} ${request.reason}`);
  }

  /** As `queued`, and forgets what was sent (not the ids). */
  drain(): readonly string[] {
    const { queued } = this;
    this.sent.length = 0;
    return queued;
  }

  send = async (requests: readonly OutgoingRequest[]): Promise<readonly boolean[]> => {
    await this.delay();
    return requests.map((outgoing) => this.#send(outgoing));
  };

  wake = async (handle: string): Promise<void> => {
    this.woken.push(handle);
  };

  changeVisibility = async (entries: readonly unknown[]) => entries.map(() => true);
  delete = async (handles: readonly string[]) => handles.map(() => true);
  deadLetter = async (): Promise<void> => {};

  #send(outgoing: OutgoingRequest): boolean {
    if (!this.accepts(outgoing.request)) return false;
    const atMs = this.#clock.monotonicMs();
    const { MessageGroupId, MessageDeduplicationId } = encodeRequest(outgoing);
    const id = `${MessageGroupId}/${MessageDeduplicationId}`;
    const lastMs = this.#idsAtMs.get(id);
    const swallowed = lastMs !== undefined && atMs - lastMs < DEDUPLICATION_MS;
    if (!swallowed) this.#idsAtMs.set(id, atMs);
    this.sent.push({ ...outgoing, atMs, swallowed });
    return true;
  }
}
