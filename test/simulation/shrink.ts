import type { Act } from "./act.ts";
import { type SimulationOptions, type SimulationResult, simulate } from "./simulation.ts";

export interface ShrinkOptions extends SimulationOptions {
  /** Whether to stop with what is found so far. */
  readonly enough: () => boolean;
  /** Told how many acts are left. */
  readonly progress?: (count: number) => void;
}

/**
 * Leaves out acts, as long as the same checker is violated: first all, then halves of them, in the
 * end one by one (delta debugging). Resolves to a simulation of which no act can be left out, if
 * there was time.
 */
export async function shrink(
  options: ShrinkOptions,
  found: SimulationResult,
): Promise<SimulationResult> {
  const checker = found.violations[0]?.checker;
  let best = found;
  const tryWithout = async (from: number, count: number): Promise<boolean> => {
    const plan = best.plan.toSpliced(from, count);
    const result = await simulate({ ...options, plan });
    const same = result.violations[0]?.checker === checker;
    if (same) best = result;
    return same;
  };
  const cutOff = async () => {
    const late = best.plan.findIndex(after(best));
    if (late >= 0) await tryWithout(late, best.plan.length);
  };
  await cutOff();
  for (let size = best.plan.length; size > 0; size = size === 1 ? 0 : half(size)) {
    for (let from = 0; from < best.plan.length && !options.enough(); ) {
      options.progress?.(best.plan.length);
      if (!(await tryWithout(from, size))) from += size;
    }
  }
  await cutOff();
  return best;
}

/** Acts that came after the violation. */
function after({ violations: [first] }: SimulationResult): (act: Act) => boolean {
  return ({ atMs }) => atMs > (first?.atMs ?? 0);
}

function half(count: number): number {
  return Math.ceil(count / 2);
}
