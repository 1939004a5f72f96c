import { type Controller, defineController } from "../../shared/api/controller.ts";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { changed, generationChanged } from "../../shared/api/predicate.ts";
import type { Reconciler } from "../../shared/api/reconciler.ts";
import { ReconcileError } from "../../shared/api/result.ts";
import { own, watch } from "../../shared/api/source.ts";
import { Gadget, Setting, Ticker } from "./kinds.ts";

export const FINALIZER = "sim.example.com/outside";

/** Makes a ConfigMap of each Gadget, and something outside the cluster. */
export const builder = defineController({
  name: "builder",
  for: Gadget,
  predicate: generationChanged,
  owns: [own(ConfigMap, { predicate: changed((map) => map.data) })],
  watches: [
    watch(Setting, {
      usedBy: (gadget: Gadget) => gadget.spec.setting,
      predicate: changed((setting) => setting.spec.value),
    }),
  ],
  finalizer: FINALIZER,
  timeoutSeconds: 10,
});

/** Says something about each Gadget in its status, beside what the builder says. */
export const inspector = defineController({
  name: "inspector",
  for: Gadget,
  watches: [
    watch(Setting, {
      index: (gadget: Gadget) => gadget.spec.setting,
      keys: ({ metadata }, keysBy) => keysBy(metadata.name),
    }),
  ],
  timeoutSeconds: 10,
});

/** Looks at each Ticker again and again. */
export const ticking = defineController({ name: "ticking", for: Ticker, timeoutSeconds: 10 });

export const CONTROLLERS = [builder, inspector, ticking] as unknown as readonly Controller[];

/** What is outside the cluster. */
export interface Outside {
  /** By the uids of Gadgets, what their Setting says. */
  readonly things: Map<string, string>;
  /** Whether removing the thing of an object fails now. */
  readonly stuck: (name: string) => boolean;
}

/** What one run tells the simulation of itself. */
export interface Told {
  readonly revision: string;
  readonly outside: Outside;
  readonly read: Record<string, unknown>;
  /** How many times runs of this object failed before. */
  readonly failures: () => number;
  /** Whether another run of the object began since: what is outside takes nothing from this one. */
  readonly late: (name: string) => boolean;
}

/** The name of a Gadget's ConfigMap. */
export function childOf(name: string): string {
  return `${name}-child`;
}

/** What both controllers say of a Setting. */
export function settingText(setting: Setting | undefined): string {
  return String(setting?.spec.value ?? "none");
}

/** What the ConfigMap of a Gadget is to hold. */
export function childData(gadget: Gadget, setting: Setting | undefined, revision: string) {
  const { size } = gadget.spec;
  return { size: String(size), setting: settingText(setting), code: revision };
}

export function building({
  revision,
  outside,
  read,
  failures,
  late,
}: Told): Reconciler<typeof builder> {
  return {
    async reconcile(gadget, { apply, client }) {
      const { name, uid } = gadget.metadata;
      const { size, broken } = gadget.spec;
      const setting = await client.get(Setting, gadget.spec.setting);
      if (!late(name)) outside.things.set(uid, settingText(setting));
      read.setting = setting?.spec.value;
      if (broken) {
        const why = `failure ${failures()}`; // Another status each time.
        const condition = {
          type: "Built",
          status: "False",
          reason: "Broken",
          message: why,
        } as const;
        throw new ReconcileError(why, { status: { conditions: [condition] } });
      }
      const data = childData(gadget, setting, revision);
      await apply(ConfigMap, { metadata: { name: childOf(name) }, data });
      const built = { type: "Built", status: "True", reason: "Built" } as const;
      return { status: { size, conditions: [built] } };
    },
    async finalize(gadget) {
      const { name, uid } = gadget.metadata;
      if (outside.stuck(name)) throw new Error("the thing outside cannot be removed");
      outside.things.delete(uid);
    },
  };
}

export function inspecting(): Reconciler<typeof inspector> {
  return {
    async reconcile({ spec: { size, setting } }, { client }) {
      const status = size % 2 === 0 ? "True" : "False";
      const message = settingText(await client.get(Setting, setting));
      const even = { type: "Even", status, reason: "Counted", message } as const;
      return { status: { conditions: [even] } };
    },
  };
}

export function ticks(): Reconciler<typeof ticking> {
  return {
    async reconcile({ spec: { seconds } }) {
      return { requeueAfterSeconds: seconds };
    },
  };
}
