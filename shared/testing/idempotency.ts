import type { Controller } from "../api/controller.ts";
import type { Key } from "../api/object.ts";
import { createKubeClient } from "../kube/create-kube-client.ts";
import type { Transport } from "../kube/wire.ts";
import type { AnyReconciler } from "../worker/run-object.ts";
import type { MemoryPlatform, PlatformRun } from "./memory-platform.ts";
import { repeatRun } from "./repeat-run.ts";
import type { TestClock } from "./test-clock.ts";
import type { ProbedWrite } from "./write-probe.ts";

export interface IdempotencyOptions {
  readonly platform: MemoryPlatform<TestClock>;
  readonly controllers: readonly (readonly [Controller, AnyReconciler])[];
  /** Without faults. */
  readonly transport: Transport;
}

/** So often repeated runs may go on before time passes for them. */
const TURNS = 200;

/**
 * Runs each of these reconciles once more without effect on the cluster, and rejects when one would
 * write. Objects that are gone, that terminate, or whose last run did not end well are left out.
 */
export async function checkIdempotency(
  options: IdempotencyOptions,
  runs: readonly PlatformRun[],
): Promise<void> {
  const repeats = options.controllers.flatMap(([controller, reconciler]) =>
    keysOf(runs, controller.name).map((key) => repeat(options, controller, reconciler, key)),
  );
  const found = await driven(Promise.all(repeats), options.platform.clock);
  const texts = found.filter((text) => text !== undefined);
  if (texts.length > 0) throw new Error(texts.slice(0, 5).join("\n"));
}

function keysOf(runs: readonly PlatformRun[], name: string): readonly Key[] {
  const keys = runs.filter(({ controller }) => controller === name).map(({ key }) => key);
  return [...new Set(keys)].map((key) => {
    const [namespace = "", name = ""] = key.split("/");
    return { namespace, name };
  });
}

async function repeat(
  { platform, transport }: IdempotencyOptions,
  controller: Controller,
  reconciler: AnyReconciler,
  key: Key,
): Promise<string | undefined> {
  const { clock } = platform;
  const record = platform.record(key, controller.name);
  if (record.outcome !== "success" && record.outcome !== "requeue_after") return undefined;
  const object = await createKubeClient(transport).get(controller.for, key);
  if (!object || object.metadata.deletionTimestamp !== undefined) return undefined;
  const writes = await repeatRun({ controller, reconciler, key, record, transport, clock });
  return writes.length === 0 ? undefined : complaint(controller, key, writes);
}

function complaint({ name }: Controller, key: Key, writes: readonly ProbedWrite[]): string {
  const object = key.namespace === "" ? key.name : `${key.namespace}/${key.name}`;
  const would = writes.map(({ call, fields }) =>
    fields.length === 0 ? call : `${call} (${fields.join(", ")})`,
  );
  return `${name} of ${object} is not idempotent: expected a second run to write nothing, got ${would.join("; ")}; write what depends on the object alone, or set idempotent: false`;
}

/** Waits for runs, and lets time pass for those that wait for it. */
async function driven<T>(run: Promise<T>, clock: TestClock): Promise<T> {
  let over = false;
  const ended = run.finally(() => {
    over = true;
  });
  for (let turn = 0; !over; turn += 1) {
    await clock.advance(turn < TURNS ? 0 : 100);
  }
  return await ended;
}
