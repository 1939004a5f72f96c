import { afterEach, expect } from "@jest/globals";
import { type Controller, defineController } from "../../shared/api/controller.ts";
import { ConfigMap } from "../../shared/api/kinds.ts";
import type { AnyReconciler } from "../../shared/worker/run-object.ts";
import type { Exchange, Fault, FaultProxy } from "./fault-proxy.ts";
import { WirePlatform } from "./wire-platform.ts";

const LABELS = { app: "copy" };

type Apply = (kind: unknown, object: object) => Promise<void>;

/** A controller of labelled ConfigMaps, each of which owns another one. */
export function copies(more: object = {}): Controller {
  return defineController({
    name: "copy",
    for: ConfigMap,
    labels: LABELS,
    owns: [ConfigMap],
    timeoutSeconds: 10,
    ...more,
  }) as unknown as Controller;
}

/** A reconciler of what a test does in a run. */
export function reconciling(
  reconcile: (object: ConfigMap, apply: Apply) => Promise<unknown>,
): Partial<AnyReconciler> {
  const untyped = (object: ConfigMap, { apply }: { apply: Apply }) => reconcile(object, apply);
  return { reconcile: untyped as never };
}

/** Writes the child of an object. */
export async function copyTo(
  apply: Apply,
  { metadata }: ConfigMap,
  data: ConfigMap["data"],
): Promise<void> {
  await apply(ConfigMap, { metadata: { name: `${metadata.name}.copy` }, data });
}

/** Keeps a child with the object's value. */
export const copying = reconciling((object, apply) => copyTo(apply, object, object.data));

/** A platform with one watcher that leads. */
export async function startCopies(
  reconciler: Partial<AnyReconciler> = copying,
  controller: Controller = copies(),
): Promise<WirePlatform> {
  const platform = await WirePlatform.start(controller, reconciler);
  await platform.watch();
  await platform.until(() => platform.leading.length === 1);
  await platform.settled();
  return platform;
}

/** `startCopies` for the tests of a file: after each its platform is closed, and no two runs may have overlapped. */
export function copiesPerTest(): typeof startCopies {
  let platform: WirePlatform | undefined;
  afterEach(async () => {
    const made = platform;
    platform = undefined;
    await made?.close();
    expect(made?.overlaps ?? []).toEqual([]);
  });
  return async (...how) => {
    platform = await startCopies(...how);
    return platform;
  };
}

/** Creates an object, or changes its value, behind the proxies. */
export function put({ cluster }: WirePlatform, name: string, value: string): Promise<unknown> {
  return cluster.apply(name, value, LABELS);
}

/** The value of the child that an object has. */
export async function copyOf(
  { cluster }: Pick<WirePlatform, "cluster">,
  name: string,
): Promise<string | undefined> {
  return (await cluster.get(`${name}.copy`))?.data?.value;
}

/** Befalls the next calls of an action, in order; afterwards nothing happens. */
export function next(proxy: FaultProxy, action: string, ...faults: readonly Fault[]): void {
  const left = [...faults];
  proxy.plan = (exchange: Exchange) => (exchange.action === action ? left.shift() : undefined);
}

export const UNAVAILABLE: Fault = { kind: "answer", status: 503 };

export const THROTTLED: Fault = {
  kind: "answer",
  status: 400,
  headers: { "x-amzn-errortype": "ThrottlingException" },
  body: `{ "__type": "ThrottlingException", "message": "slow down" }`,
};
