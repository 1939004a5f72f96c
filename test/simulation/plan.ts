import type { Act, ActKind, Scale } from "./act.ts";
import { CLUSTER_FAULTS } from "./cluster-faults.ts";
import { Draws } from "./draws.ts";
import { PROCESS_FAULTS } from "./process-faults.ts";
import { QUEUE_FAULTS } from "./queue-faults.ts";
import { STORE_FAULTS } from "./store-faults.ts";
import { USER_ACTS } from "./user-acts.ts";

/** Everything that goes wrong. */
const FAULTS: readonly ActKind[] = [
  ...QUEUE_FAULTS,
  ...STORE_FAULTS,
  ...CLUSTER_FAULTS,
  ...PROCESS_FAULTS,
];

const KINDS = new Map([...USER_ACTS, ...FAULTS].map((kind) => [kind.name, kind]));

export function faultNames(): readonly string[] {
  return FAULTS.map(({ name }) => name);
}

/** Each seed has about half of the faults, so that some meet often that would rarely meet among all. */
const LIKELY = 0.5;

/** All that the outside does in the simulation of a seed, drawn before anything happens, in order of time. */
export function planOf(seed: number, scale: Scale): readonly Act[] {
  const draws = new Draws(seed).fork("plan");
  const { minutes, changesPerMinute, faultsPerMinute } = scale;
  const wanted = USER_ACTS.filter(({ name }) => scale.changes?.includes(name) ?? true);
  const changes = drawn(draws, scale, { kinds: wanted, count: minutes * changesPerMinute });
  const kinds = FAULTS.filter(({ name }) => {
    const likely = draws.chance(LIKELY);
    return scale.faults?.includes(name) ?? likely;
  });
  const faults = drawn(draws, scale, { kinds, count: minutes * faultsPerMinute });
  return [...changes, ...faults].sort((one, other) => one.atMs - other.atMs);
}

/** The kind of an act. */
export function kindOf({ name }: Act): ActKind {
  const kind = KINDS.get(name);
  if (!kind) throw new Error(`cannot play ${name}: expected a known kind of act`);
  return kind;
}

function drawn(
  draws: Draws,
  scale: Scale,
  { kinds, count }: { readonly kinds: readonly ActKind[]; readonly count: number },
): readonly Act[] {
  const weights = kinds.flatMap((kind) => Array.from({ length: kind.weight }, () => kind));
  const length = weights.length === 0 ? 0 : Math.round(count);
  return Array.from({ length }, () => {
    const { name, draw } = draws.pick(weights);
    const atMs = draws.between(0, scale.minutes * 60_000);
    return { atMs, name, details: draw(draws, scale) };
  });
}
