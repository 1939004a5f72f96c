import type { Clock } from "../clock.ts";
import type { AnswerObserver, AnswerTimes } from "./answer-observer.ts";

/** A time span in which the server's clock minus our monotonic clock lies, by one answer. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * The time of AWS's servers, by the Date headers of their answers. Correct to about a second, which
 * is enough for timers and locks, whatever the machine's own clock says (a node 5 min fast would
 * fire every timer at once).
 *
 * T1. One answer bounds the offset: the server read its clock between our sending and our hearing of
 *     it, and cut it to a second. A slow answer bounds it loosely, a quick one closely.
 * T2. The offset changes only to where more than half of the last answers agree, and at least two:
 *     one odd header changes nothing. Until then the machine's clock holds.
 * T3. It counts on from the monotonic clock, so steps of the wall clock do not show.
 */
export class ServerClock implements AnswerObserver {
  readonly clock: Clock;
  readonly #spans: Span[] = [];
  #offsetMs: number | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Milliseconds since 1970 by the servers' clock. Can step back by a fraction of a second. */
  nowMs = (): number =>
    this.#offsetMs === undefined
      ? this.clock.nowMs()
      : Math.round(this.clock.monotonicMs() + this.#offsetMs);

  /** How far the machine's clock is ahead, in milliseconds; 0 while nothing is known. */
  skewMs = (): number => this.clock.nowMs() - this.nowMs();

  observe = ({ dateMs, sentMs, receivedMs }: AnswerTimes): void => {
    this.#spans.push({ from: dateMs - receivedMs, to: dateMs + DATE_STEP_MS - sentMs });
    if (this.#spans.length > ANSWERS) this.#spans.shift();
    this.#offsetMs = agreedOffset(this.#spans) ?? this.#offsetMs;
  };
}

/** The Date header has whole seconds. https://www.rfc-editor.org/rfc/rfc9110#section-6.6.1 */
const DATE_STEP_MS = 1_000;
/** How many answers are remembered: enough to outvote a few odd ones, few enough to follow a change. */
const ANSWERS = 8;

/** The middle of the span in which the most answers agree (Marzullo's algorithm), if enough do (T2). */
function agreedOffset(spans: readonly Span[]): number | undefined {
  const covering = (at: number) => spans.filter(({ from, to }) => from <= at && at <= to);
  let most: readonly Span[] = [];
  for (const { from } of spans) {
    const agreeing = covering(from);
    if (agreeing.length > most.length) most = agreeing;
  }
  if (most.length < 2 || most.length * 2 <= spans.length) return undefined;
  const from = Math.max(...most.map((span) => span.from));
  return (from + Math.min(...most.map((span) => span.to))) / 2;
}
