import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ConfigMap, type Reconciler } from "tidegate";
import type { copyController } from "./controller.ts";

export interface CopyOptions {
  /** Stands for a service that is not in the cluster: a file for each object. */
  readonly outside: string;
  /** From 0 to 1: now and then a run fails, or asks for another one. */
  readonly random: () => number;
}

/** Long enough that blows hit runs. */
const LONGEST_MS = 400;
const FAILING = 0.05;
const ASKING_AGAIN = 0.05;

/** Keeps a copy of each object's value in a child, and one outside of the cluster. */
export const copyReconciler = ({
  outside,
  random,
}: CopyOptions): Reconciler<typeof copyController> => ({
  async reconcile({ metadata, data }, { apply }) {
    const value = data?.value ?? "";
    await apply(ConfigMap, { metadata: { name: `${metadata.name}.copy` }, data: { value } });
    await mkdir(outside, { recursive: true });
    const file = join(outside, metadata.name);
    await setTimeout(random() * LONGEST_MS);
    await writeFile(`${file}.new`, value);
    await rename(`${file}.new`, file);
    const drawn = random();
    if (drawn < FAILING) throw new Error("fails by chance");
    return drawn < FAILING + ASKING_AGAIN ? { requeueAfterSeconds: 2 } : {};
  },
  async finalize({ metadata }) {
    await rm(join(outside, metadata.name), { force: true });
  },
});
