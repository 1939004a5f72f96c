import { ConfigMap } from "../../shared/api/kinds.ts";
import type { KubernetesObject } from "../../shared/api/object.ts";
import { FINGERPRINT_BYTES, fingerprintsOf } from "../../shared/queue/fingerprint.ts";
import { IDENTITY_BYTES, identityOf } from "../../shared/queue/identity.ts";
import type { RecordStore } from "../../shared/queue/record-store.ts";
import { SeenBuilder } from "../../shared/queue/seen-builder.ts";
import type { Cluster } from "./cluster.ts";
import { builder, childOf } from "./controllers.ts";
import { Gadget, Setting } from "./kinds.ts";

type End = RecordStore["end"];

/** Notes of a run of the builder not what it read, but what is there at its end. */
export function seenAtTheEnd(store: RecordStore, { api }: Cluster): End {
  return (key, end) => {
    if (key.controller !== "builder" || !end.seen) return store.end(key, end);
    const find = (resource: string, name: string | undefined) =>
      api.store.list(resource, "").find(({ metadata }) => metadata.name === name);
    const seen = new SeenBuilder(fingerprintsOf(builder as never));
    const gadget = find("sim.example.com/gadgets", key.name) as unknown as Gadget | undefined;
    const setting = find("sim.example.com/settings", gadget?.spec.setting);
    const child = find("/configmaps", childOf(key.name));
    for (const [kind, object] of [
      [Gadget, gadget],
      [Setting, setting],
      [ConfigMap, child],
    ] as const) {
      if (object) seen.read(kind, object as unknown as KubernetesObject);
    }
    return store.end(key, { ...end, seen: seen.encode() });
  };
}

/** Notes nothing of children. */
export function ownWritesLeftOut(store: RecordStore): End {
  return (key, end) => {
    if (!end.seen) return store.end(key, end);
    return store.end(key, { ...end, seen: withoutChildren(end.seen) });
  };
}

const ENTRY_BYTES = IDENTITY_BYTES + FINGERPRINT_BYTES;

function withoutChildren(seen: Uint8Array): Uint8Array {
  const ofChildren = identityOf(ConfigMap, { name: "any", uid: "any" }).slice(0, 4);
  const [version = 0, ...bytes] = seen;
  const kept: number[] = [];
  for (let at = 0; at < bytes.length; at += ENTRY_BYTES) {
    const entry = bytes.slice(at, at + ENTRY_BYTES);
    if (!Buffer.from(entry).toString("hex").startsWith(ofChildren)) kept.push(...entry);
  }
  return Uint8Array.of(version, ...kept);
}
