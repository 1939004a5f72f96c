import { type Part, partsOfPattern } from "./re2-parts.ts";

/** One step of a program; `next` are numbers of steps. */
export type Step =
  | { readonly type: "found" }
  | {
      readonly type: "character";
      readonly takes: (character: string) => boolean;
      readonly next: number;
    }
  /** Holds between characters, or ends this way. */
  | {
      readonly type: "between";
      readonly holds: (text: string, at: number) => boolean;
      readonly next: number;
    }
  | { readonly type: "either"; readonly next: readonly number[] };

export interface Program {
  readonly steps: readonly Step[];
  readonly start: number;
}

/** About what RE2 takes: it repeats nothing more than 1,000 times. */
const MAX_STEPS = 100_000;

/** The program of a pattern that `translate` made; undefined where it would be too large. */
export function programOf(pattern: string): Program | undefined {
  const steps: Step[] = [];
  const add = (step: Step): number => {
    if (steps.length >= MAX_STEPS) throw new TooLargeError();
    return steps.push(step) - 1;
  };
  try {
    const start = written(partsOfPattern(pattern), add({ type: "found" }), { steps, add });
    return { steps, start };
  } catch (error) {
    if (error instanceof TooLargeError) return undefined;
    throw error;
  }
}

class TooLargeError extends Error {}

interface Writer {
  readonly steps: Step[];
  readonly add: (step: Step) => number;
}

/** Writes a part that is followed by `next`; answers where it begins. */
function written(part: Part, next: number, writer: Writer): number {
  const { add } = writer;
  if ("atom" in part) return add({ type: "character", takes: takenBy(part.atom), next });
  if ("between" in part) return add({ type: "between", holds: holding(part.between), next });
  if ("all" in part) return part.all.reduceRight((end, each) => written(each, end, writer), next);
  if ("either" in part) {
    return add({ type: "either", next: part.either.map((each) => written(each, next, writer)) });
  }
  return repeated(part, next, writer);
}

type Repeat = Extract<Part, { readonly repeat: Part }>;

function repeated({ repeat, min, max }: Repeat, next: number, writer: Writer): number {
  let begin = max === Number.POSITIVE_INFINITY ? loop(repeat, next, writer) : next;
  for (let count = min; count < max && max !== Number.POSITIVE_INFINITY; count++) {
    begin = writer.add({ type: "either", next: [written(repeat, begin, writer), next] });
  }
  for (let count = 0; count < min; count++) begin = written(repeat, begin, writer);
  return begin;
}

function loop(repeat: Part, next: number, writer: Writer): number {
  const again: number[] = [next];
  const begin = writer.add({ type: "either", next: again });
  again.unshift(written(repeat, begin, writer));
  return begin;
}

/** JavaScript says which characters a class has; asked once of each. */
function takenBy(atom: string): (character: string) => boolean {
  const pattern = new RegExp(`^${atom}$`, "u");
  const known = new Map<string, boolean>();
  return (character) => {
    const before = known.get(character);
    if (before !== undefined) return before;
    const takes = pattern.test(character);
    if (known.size < MAX_KNOWN) known.set(character, takes);
    return takes;
  };
}

const MAX_KNOWN = 256;

function holding(between: string): (text: string, at: number) => boolean {
  const pattern = new RegExp(between, "uy");
  return (text, at) => {
    pattern.lastIndex = at;
    return pattern.test(text);
  };
}
