import { programOf, type Step } from "./re2-program.ts";

/**
 * Whether a pattern is found anywhere in a text, in time that grows with the text's length alone, as
 * in RE2: JavaScript's own engine may take years for `^(a+)+$`, and nothing else would run meanwhile.
 * Takes what `translate` made. Undefined where the pattern is larger than RE2 would take.
 * https://swtch.com/~rsc/regexp/regexp1.html
 */
export function linearTest(pattern: string): ((text: string) => boolean) | undefined {
  const program = programOf(pattern);
  return program && ((text) => new Run(program.steps, text).found(program.start));
}

/** All ways through the program at once, one character after the other. */
class Run {
  readonly #steps: readonly Step[];
  readonly #text: string;
  /** At which character each step was last reached: none is tried twice there. */
  readonly #reached: Int32Array;

  constructor(steps: readonly Step[], text: string) {
    this.#steps = steps;
    this.#text = text;
    this.#reached = new Int32Array(steps.length).fill(-1);
  }

  found(start: number): boolean {
    let at = 0;
    let waiting: number[] = [];
    for (const character of this.#text) {
      const now = this.#follow([...waiting, start], at);
      if (now === "found") return true;
      waiting = now.flatMap((index) => this.#after(index, character));
      at += character.length;
    }
    return this.#follow([...waiting, start], at) === "found";
  }

  #after(index: number, character: string): readonly number[] {
    const step = this.#steps[index];
    return step?.type === "character" && step.takes(character) ? [step.next] : [];
  }

  /** The steps that wait for a character, from those that are reached. */
  #follow(reached: number[], at: number): "found" | number[] {
    const waiting: number[] = [];
    for (let index = reached.pop(); index !== undefined; index = reached.pop()) {
      const step = this.#steps[index];
      if (!step || this.#reached[index] === at) continue;
      this.#reached[index] = at;
      if (step.type === "found") return "found";
      if (step.type === "character") waiting.push(index);
      else if (step.type === "either") reached.push(...step.next);
      else if (step.holds(this.#text, at)) reached.push(step.next);
    }
    return waiting;
  }
}
