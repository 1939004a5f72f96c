import { Definition } from "../shared/platform/definition-kind.ts";
import type { KindDrain } from "./uninstall-drain.ts";
import type { InstalledKind } from "./uninstall-plan.ts";

const LOOK_MS = 250;

/** Removes the definitions and waits until they are gone. With one that is not ours any more, nothing is done. */
export async function removeDefinitions(
  { client, clock, progress, signal }: Pick<KindDrain, "client" | "clock" | "progress" | "signal">,
  kinds: readonly InstalledKind[],
): Promise<void> {
  for (const { name, uid } of kinds) {
    const key = { namespace: "", name };
    progress.tell(`removing ${name}`);
    await client.delete(Definition, key, { uid, signal });
    while ((await client.get(Definition, key, { signal }))?.metadata.uid === uid) {
      await clock.sleep(LOOK_MS, signal);
      signal.throwIfAborted();
    }
  }
}
