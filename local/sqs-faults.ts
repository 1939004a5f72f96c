import type { Clock } from "../shared/clock.ts";
import { SqsError, type SqsErrorCode } from "./sqs-error.ts";
import { listOf, objectOf, type SqsInput, textOf } from "./sqs-input.ts";

/** Something that goes wrong with the next calls of an action; for tests. */
export interface SqsFault {
  /** "SendMessageBatch", or "*" for any. */
  readonly action: string;
  /** The name of the only queue that is meant; any by default. */
  readonly queue?: string;
  /** How many calls it befalls; 1 by default. */
  readonly times?: number;
  /** First the call waits that long. */
  readonly delayMs?: number;
  /** The call does nothing and answers this error; "RequestThrottled" for a throttle. */
  readonly error?: SqsErrorCode;
  /** The entries of a batch that are not carried out and are answered in `Failed`, by index. */
  readonly failEntries?: (index: number) => boolean;
  /** The call is carried out, and its answer is lost: the caller gets InternalFailure. */
  readonly loseAnswer?: boolean;
}

/** The faults that are still to come. */
export class SqsFaults {
  readonly #clock: Clock;
  #pending: { readonly fault: SqsFault; left: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(fault: SqsFault): void {
    this.#pending.push({ fault, left: fault.times ?? 1 });
  }

  /** Nothing goes wrong any more. */
  clear(): void {
    this.#pending = [];
  }

  /** Carries out a call, or what the next fault that is meant for it leaves of it. */
  async run<T extends object>(
    action: string,
    input: SqsInput,
    carryOut: (input: SqsInput) => T | Promise<T>,
  ): Promise<T | object> {
    const fault = this.#take(action, input);
    if (!fault) return carryOut(input);
    if (fault.delayMs) await this.#clock.sleep(fault.delayMs);
    if (fault.error) throw new SqsError(fault.error, `${action} fails by an injected fault.`);
    const answer = fault.failEntries
      ? await failSome(input, fault.failEntries, carryOut)
      : await carryOut(input);
    if (fault.loseAnswer) throw new SqsError("InternalFailure", `The answer of ${action} is lost.`);
    return answer;
  }

  #take(action: string, input: SqsInput): SqsFault | undefined {
    const next = this.#pending.find(
      ({ fault }) =>
        (fault.action === action || fault.action === "*") &&
        (!fault.queue || textOf(input, "QueueUrl")?.endsWith(`/${fault.queue}`)),
    );
    if (!next) return undefined;
    next.left -= 1;
    if (next.left === 0) this.#pending = this.#pending.filter((pending) => pending !== next);
    return next.fault;
  }
}

async function failSome<T extends object>(
  input: SqsInput,
  fails: (index: number) => boolean,
  carryOut: (input: SqsInput) => T | Promise<T>,
): Promise<object> {
  const entries = listOf(input, "Entries");
  const kept = entries.filter((_, index) => !fails(index));
  const answer: { Failed?: object[] } =
    kept.length > 0 ? await carryOut({ ...input, Entries: kept }) : {};
  const failed = entries
    .filter((_, index) => fails(index))
    .map((entry) => ({
      Id: objectOf(entry, "Entries").Id,
      Code: "InternalError",
      Message: "The entry fails by an injected fault.",
      SenderFault: false,
    }));
  return { ...answer, Failed: [...(answer.Failed ?? []), ...failed] };
}
