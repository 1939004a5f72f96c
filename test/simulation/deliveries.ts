import type { Ended } from "../../local/function-process.ts";
import type { Clock } from "../../shared/clock.ts";
import type { SqsEvent } from "../../shared/worker/sqs-event.ts";

/** How the next batches of a function come. */
export interface Delivery {
  /** How many batches it befalls. */
  readonly times: number;
  /** How much later they come. */
  readonly lateMs?: number;
  /** They come once more, so long after the first time. */
  readonly againMs?: number;
  /** The last message comes first. */
  readonly reordered?: boolean;
}

/** The way from the queue to a function. Lambda may be late, may invoke twice, and mixes groups. */
export class Deliveries {
  readonly #clock: Clock;
  readonly #next = new Map<string, { readonly delivery: Delivery; left: number }[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(controller: string, delivery: Delivery): void {
    const next = this.#next.get(controller) ?? [];
    next.push({ delivery, left: delivery.times });
    this.#next.set(controller, next);
  }

  heal(): void {
    this.#next.clear();
  }

  async deliver(
    controller: string,
    event: SqsEvent,
    invoke: (event: SqsEvent) => Promise<Ended>,
  ): Promise<Ended> {
    const { lateMs = 0, againMs, reordered } = this.#take(controller) ?? {};
    if (lateMs > 0) await this.#clock.sleep(lateMs);
    if (againMs !== undefined) void this.#clock.sleep(againMs).then(() => invoke(event));
    return await invoke(reordered ? { ...event, Records: event.Records.toReversed() } : event);
  }

  #take(controller: string): Delivery | undefined {
    const [next] = this.#next.get(controller) ?? [];
    if (!next) return undefined;
    next.left -= 1;
    if (next.left === 0) this.#next.get(controller)?.shift();
    return next.delivery;
  }
}
