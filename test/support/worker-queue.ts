import type { ReconcileRequest } from "../../shared/queue/request.ts";
import type { OutgoingRequest, RequestQueue } from "../../shared/queue/request-queue.ts";

/** A queue that notes what a worker does with it. */
export class WorkerQueue implements RequestQueue {
  readonly sent: OutgoingRequest[] = [];
  readonly deleted: string[] = [];
  readonly deadLetters: { request: ReconcileRequest; error: string }[] = [];
  /** The last visibility of each receipt handle, in seconds. */
  readonly visibility = new Map<string, number>();
  /** Calls in their order: "visibility 2", "delete 1". */
  readonly calls: string[] = [];
  /** Set: the dead-letter queue takes nothing. */
  refusesDeadLetters = false;
  /** Set: nothing can be deleted. */
  refusesDeletes = false;

  /** Awaited by each call that is noted, before it does what it does. */
  delay: (call: string) => Promise<void> = async () => {};

  send = async (requests: readonly OutgoingRequest[]): Promise<readonly boolean[]> => {
    this.sent.push(...requests);
    return requests.map(() => true);
  };

  wake = async (): Promise<void> => {};

  changeVisibility: RequestQueue["changeVisibility"] = async (entries) => {
    await this.#call(`visibility ${entries.length}`);
    for (const { receiptHandle, seconds } of entries) this.visibility.set(receiptHandle, seconds);
    return entries.map(() => true);
  };

  delete: RequestQueue["delete"] = async (receiptHandles) => {
    await this.#call(`delete ${receiptHandles.length}`);
    if (!this.refusesDeletes) this.deleted.push(...receiptHandles);
    return receiptHandles.map(() => !this.refusesDeletes);
  };

  deadLetter = async (request: ReconcileRequest, error: string): Promise<void> => {
    if (this.refusesDeadLetters) throw new Error("cannot send to the dead-letter queue: refused");
    this.deadLetters.push({ request, error });
  };

  async #call(call: string): Promise<void> {
    this.calls.push(call);
    await this.delay(call);
  }
}
