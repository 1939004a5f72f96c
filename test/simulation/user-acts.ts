import { ConfigMap } from "../../shared/api/kinds.ts";
import type { Kind } from "../../shared/api/object.ts";
import { type ActKind, actKind } from "./act.ts";
import { childOf } from "./controllers.ts";
import { Gadget, Setting, Ticker } from "./kinds.ts";
import { gadgetName, gadgetSpec, NAMESPACE, settingName, tickerName } from "./objects.ts";
import { SETTINGS, type World } from "./world.ts";

const PROPAGATIONS = ["Background", "Foreground", "Orphan"] as const;

/** What users and other controllers do. */
export const USER_ACTS: readonly ActKind[] = [
  actKind({
    name: "gadget written",
    weight: 10,
    draw: (draws, scale) => ({
      gadget: draws.between(0, scale.gadgets - 1),
      size: draws.between(0, 99),
      setting: draws.between(0, scale.settings - 1),
    }),
    play: async (world, { gadget, size, setting }) =>
      write(world, Gadget, gadgetName(gadget), gadgetSpec(size, setting)),
  }),
  actKind({
    name: "gadget broken",
    weight: 2,
    draw: (draws, scale) => ({ gadget: draws.between(0, scale.gadgets - 1) }),
    play: async (world, { gadget }) =>
      patch(world, Gadget, gadgetName(gadget), { spec: { broken: true } }),
  }),
  actKind({
    name: "gadget mended",
    weight: 2,
    draw: (draws, scale) => ({ gadget: draws.between(0, scale.gadgets - 1) }),
    play: async (world, { gadget }) =>
      patch(world, Gadget, gadgetName(gadget), { spec: { broken: false } }),
  }),
  actKind({
    name: "gadget labelled",
    weight: 2,
    draw: (draws, scale) => ({
      gadget: draws.between(0, scale.gadgets - 1),
      label: String(draws.between(0, 9)),
    }),
    play: async (world, { gadget, label }) =>
      patch(world, Gadget, gadgetName(gadget), { metadata: { labels: { label } } }),
  }),
  actKind({
    name: "gadget deleted",
    weight: 3,
    draw: (draws, scale) => ({
      gadget: draws.between(0, scale.gadgets - 1),
      propagation: draws.pick(["Background", "Foreground"] as const),
    }),
    play: async ({ cluster }, { gadget, propagation }) => {
      await cluster.client.delete(Gadget, keyOf(gadgetName(gadget)), { propagation });
    },
  }),
  actKind({
    name: "thing outside stuck",
    weight: 1,
    draw: (draws, scale) => ({
      gadget: draws.between(0, scale.gadgets - 1),
      ms: draws.pick([1_000, 30_000, 300_000]),
    }),
    play: (world, { gadget, ms }) => {
      world.stuck.add(gadgetName(gadget));
      world.after(ms, () => world.stuck.delete(gadgetName(gadget)));
    },
  }),
  actKind({
    name: "child deleted",
    weight: 4,
    draw: (draws, scale) => ({
      gadget: draws.between(0, scale.gadgets - 1),
      propagation: draws.pick(PROPAGATIONS),
    }),
    play: async ({ cluster }, { gadget, propagation }) => {
      const key = keyOf(childOf(gadgetName(gadget)));
      await cluster.client.delete(ConfigMap, key, { propagation });
    },
  }),
  actKind({
    name: "child edited",
    weight: 3,
    draw: (draws, scale) => ({
      gadget: draws.between(0, scale.gadgets - 1),
      size: String(draws.between(100, 199)),
    }),
    play: async (world, { gadget, size }) =>
      patch(world, ConfigMap, childOf(gadgetName(gadget)), { data: { size } }),
  }),
  actKind({
    name: "setting written",
    weight: 2,
    draw: (draws, scale) => ({
      setting: draws.between(0, scale.settings - 1),
      value: draws.between(0, 99),
    }),
    play: async (world, { setting, value }) =>
      write(world, Setting, settingName(setting), { value }),
  }),
  actKind({
    name: "setting changed for a moment",
    weight: 1,
    draw: (draws, scale) => ({
      setting: draws.between(0, scale.settings - 1),
      value: draws.between(100, 199),
      ms: draws.pick([20, 200, 2_000, 8_000]),
    }),
    play: async (world, { setting, value, ms }) => {
      const name = settingName(setting);
      const before = world.objects(SETTINGS).find(({ metadata }) => metadata.name === name);
      if (!before) return;
      await write(world, Setting, name, { value });
      world.after(ms, () => void write(world, Setting, name, (before as unknown as Setting).spec));
    },
  }),
  actKind({
    name: "setting deleted",
    weight: 1,
    draw: (draws, scale) => ({ setting: draws.between(0, scale.settings - 1) }),
    play: async ({ cluster }, { setting }) => {
      await cluster.client.delete(Setting, keyOf(settingName(setting)));
    },
  }),
  actKind({
    name: "ticker written",
    weight: 1,
    draw: (draws, scale) => ({
      ticker: draws.between(0, scale.tickers - 1),
      seconds: draws.pick([5, 30, 120, 300]),
    }),
    play: async (world, { ticker, seconds }) =>
      write(world, Ticker, tickerName(ticker), { seconds }),
  }),
  actKind({
    name: "ticker deleted",
    weight: 1,
    draw: (draws, scale) => ({ ticker: draws.between(0, scale.tickers - 1) }),
    play: async ({ cluster }, { ticker }) => {
      await cluster.client.delete(Ticker, keyOf(tickerName(ticker)));
    },
  }),
];

function keyOf(name: string) {
  return { namespace: NAMESPACE, name };
}

/** Creates the object, or changes it. */
export async function write(world: World, kind: Kind, name: string, spec: object): Promise<void> {
  const { apiVersion, kind: word } = kind;
  const metadata = { namespace: NAMESPACE, name };
  const manifest = { apiVersion, kind: word, metadata, spec };
  const options = { fieldManager: "user", force: true } as const;
  await world.cluster.client.apply(kind, keyOf(name), manifest, options);
}

/** Changes the object, if it is there. */
export async function patch(world: World, kind: Kind, name: string, change: object): Promise<void> {
  const { client } = world.cluster;
  if (!(await client.get(kind, keyOf(name)))) return;
  const merge = { type: "merge", patch: change } as const;
  await client.patch(kind, keyOf(name), merge, { fieldManager: "user" });
}
