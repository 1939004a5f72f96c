import type { Transport } from "../shared/kube/wire.ts";
import { type Drain, drained, STILL_MS } from "../shared/platform/drain.ts";
import { countText, type ListedObject, objectText } from "../shared/platform/object-list.ts";
import type { Progress } from "./progress.ts";
import { type InstalledKind, objectsOf } from "./uninstall-plan.ts";

export interface KindDrain extends Omit<Drain, "left" | "tell" | "still"> {
  readonly transport: Transport;
  readonly progress: Progress;
  /** Lines that stay, other than progress. */
  readonly say: (line: string) => void;
}

/** `drained` for all objects of the kinds. Tells when nothing happens for a while, and why. */
export async function drainKinds(drain: KindDrain, kinds: readonly InstalledKind[]): Promise<void> {
  const { transport, progress, say, signal } = drain;
  let most = 0;
  await drained({
    ...drain,
    left: () => objectsOf(transport, kinds, signal),
    tell: ({ length }) => {
      most = Math.max(most, length);
      progress.tell(`${length} of ${countText(most)} left`);
    },
    still: (objects) => say(stillText(objects)),
  });
}

function stillText(objects: readonly ListedObject[]): string {
  const finalizers = new Set(objects.flatMap(({ metadata }) => metadata.finalizers ?? []));
  const [first] = objects;
  const held = first ? ` (${objectText(first)}${objects.length > 1 ? " and others" : ""})` : "";
  return (
    `tidegate: nothing has gone for ${STILL_MS / 1000} s: ${countText(objects.length)} left${held}, held by ` +
    `${[...finalizers].join(", ") || "no finalizer"}; is the watcher running, and the functions? ` +
    '"tidegate status" tells of their runs; Ctrl-C ends the wait, and undoes nothing'
  );
}
