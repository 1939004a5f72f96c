import type { ExplainFacts, Finding } from "../../cli/finding.ts";
import {
  ConfigMap,
  type Controller,
  Deployment,
  defineController,
  type KubernetesObject,
} from "../../shared/api/index.ts";
import { fingerprintsOf } from "../../shared/queue/fingerprint.ts";
import type { ObjectRecord } from "../../shared/queue/record.ts";
import { SeenBuilder } from "../../shared/queue/seen-builder.ts";
import { build } from "../../shared/testing/build.ts";

export const NOW = Date.parse("2026-01-01T12:00:00Z");
export const SECOND = 1_000;

export const plain = defineController({ name: "digest", for: ConfigMap, owns: [Deployment] });
export const config = build(ConfigMap, { metadata: { name: "a", resourceVersion: "7" } });

/** What a run of the controller notes that read these objects. */
export function seenOf(
  controller: Controller = plain as never,
  ...objects: readonly KubernetesObject[]
): Uint8Array {
  const builder = new SeenBuilder(fingerprintsOf(controller));
  for (const object of objects) builder.read(object, object);
  return builder.encode();
}

/** A record whose last run ended well a minute ago and saw the object as it is. */
export function ended(change: Partial<ObjectRecord> = {}): ObjectRecord {
  return {
    epoch: 3,
    failures: 0,
    outcome: "success",
    reason: "change",
    startedAt: NOW - 61 * SECOND,
    finishedAt: NOW - 60 * SECOND,
    revision: "r1",
    seen: seenOf(plain as never, config),
    ...change,
  };
}

/** Facts of an object for which all is well, but for what is given. */
export function facts(change: Partial<ExplainFacts> = {}): ExplainFacts {
  return {
    controller: plain as never,
    key: { cluster: "main", controller: "digest", namespace: "default", name: "a" },
    nowMs: NOW,
    record: ended(),
    object: { value: config },
    revision: "r1",
    runState: { value: "running" },
    queue: { value: { waiting: 0, inFlight: 0 } },
    lease: { value: { state: "held", holder: "w-1", clusterUid: "u" } },
    clusterUid: { value: "u" },
    sources: { value: [] },
    deadLetters: { value: [] },
    unseen: { value: [] },
    ...change,
  };
}

/** The finding of a code. */
export function findingOf(findings: readonly Finding[], code: string): Finding | undefined {
  return findings.find((finding) => finding.code === code);
}
