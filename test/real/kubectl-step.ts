/** One command of the script, and what is compared of it. */
export interface KubectlStep {
  readonly args: readonly string[];
  /** Standard input, as JSON. */
  readonly input?: object | string;
  /** Commands that run once this one waits. */
  readonly meanwhile?: readonly (readonly string[])[];
  /** Ends the command once it has printed so many lines. */
  readonly until?: number;
  /** Only lines of standard output that match are compared. */
  readonly lines?: RegExp;
  /** Lines that match are not compared; `why` says why. */
  readonly except?: RegExp;
  readonly why?: string;
  /** Lines are compared in any order. */
  readonly sorted?: boolean;
  /** Why the outputs differ, where they do: then they are not compared. */
  readonly differs?: string;
}

type More = Omit<KubectlStep, "args">;

/** A command line, split at spaces; what has spaces itself is given apart, as `{0}`, `{1}`. */
export function step(
  line: string,
  more: More & { readonly words?: readonly string[] } = {},
): KubectlStep {
  const { words = [], ...rest } = more;
  const args = line
    .split(" ")
    .map((word) => word.replace(/\{(\d)\}/, (_, index: string) => words[Number(index)] ?? ""));
  return { args, ...rest };
}

/** A command whose manifest comes from standard input. */
export const fromInput = (line: string, input: object | string, more: More = {}) =>
  step(`${line} -f -`, { input, ...more });
