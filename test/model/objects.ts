import type { Fingerprints } from "../../shared/queue/fingerprint.ts";
import { identityOf } from "../../shared/queue/identity.ts";
import type { RequestKey } from "../../shared/queue/request.ts";
import { SeenBuilder } from "../../shared/queue/seen-builder.ts";
import type { Rules } from "./rules.ts";
import type { ModelObject, Name, Objects, Sighting } from "./state.ts";

/** The one key of the model. */
export const KEY: RequestKey = { cluster: "c", controller: "model", namespace: "n", name: "key" };
export const KEY_TEXT = "n/key";

const KINDS = {
  primary: { apiVersion: "model/v1", kind: "Primary" },
  secondary: { apiVersion: "model/v1", kind: "Secondary" },
} as const;
const ALL_KINDS = Object.values(KINDS);

/** Both sources of the model have synced whenever the watcher is up. */
export const SYNCED = { synced: ALL_KINDS, unsynced: [] } as const;

const identities = new Map<string, string>();

export function identity(name: Name, uid: number): string {
  const id = `${name} ${uid}`;
  const known = identities.get(id);
  if (known) return known;
  const made = identityOf(KINDS[name], { name: "key", namespace: "n", uid: String(uid) });
  identities.set(id, made);
  return made;
}

/** Six bytes in hex, as a real one has. An object that terminates counts by its version. */
export function fingerprint({ fingerprints, dont }: Rules, object: ModelObject): string {
  const { content, version, uses, deleting } = object;
  const marked = deleting && dont !== "deletionTimestamp left out of the fingerprint";
  const reference = uses && fingerprints === "content" ? "u" : "";
  const compared = fingerprints === "version" ? `${version}v` : content + reference;
  return Buffer.from((marked ? `${version}d` : compared).padStart(6, "-")).toString("hex");
}

/** What a run saw, as its record keeps it. */
export function seenOf(rules: Rules, sightings: readonly Sighting[]): Uint8Array {
  const builder = new SeenBuilder(fingerprintsOf(rules));
  for (const sighting of believed(rules, sightings)) {
    const { name } = sighting;
    const kind = KINDS[name];
    if (sighting.kind === "touched") {
      builder.touched(kind, { ...NAMED, uid: String(sighting.uid) });
    } else if (sighting.kind === "read") {
      builder.read(kind, observed(sighting.object));
    } else {
      const { object, before } = sighting;
      const condition = before === undefined ? { created: true } : { before: String(before) };
      builder.wrote({ kind, after: observed(object), ...condition });
    }
  }
  return builder.encode();
}

/** What the covered test of a backfill gets: all that the caches hold, and what of it maps to the key. */
export function snapshotOf(rules: Rules, cache: Objects) {
  const objects = cachedIn(rules, cache);
  const { secondary: _, ...others } = cache;
  const mapped = rules.usedBy && !cache.primary?.uses ? cachedIn(rules, others) : objects;
  const byKey = new Map(
    mapped.length > 0 ? [[KEY_TEXT, { key: KEY, objects: mapped as never[] }]] : [],
  );
  return { byKey, fingerprints: new Map(objects.map((each) => [each.identity, each.fingerprint])) };
}

export function cachedIn(rules: Rules, cache: Objects) {
  return (Object.entries(cache) as [Name, ModelObject][]).map(([name, object]) => ({
    identity: identity(name, object.uid),
    fingerprint: fingerprint(rules, object),
    deleting: object.deleting ?? false,
  }));
}

const NAMED = { name: "key", namespace: "n" };

/** Rules that are wrong forget some of what was seen. */
function believed({ dont }: Rules, sightings: readonly Sighting[]): readonly Sighting[] {
  if (dont === "own write left out of seen") return sightings.filter(neverWritten(sightings));
  if (dont !== "last version read in seen") return sightings;
  const last = new Map<Name, Sighting>();
  for (const sighting of sightings) {
    if (sighting.kind === "wrote") last.set(sighting.name, { ...sighting, kind: "read" });
    if (sighting.kind === "read") last.set(sighting.name, sighting);
  }
  return [...last.values()];
}

/** Objects that the run wrote, or tried to, are left out as a whole. */
function neverWritten(sightings: readonly Sighting[]): (sighting: Sighting) => boolean {
  const written = new Set(sightings.filter(({ kind }) => kind !== "read").map(({ name }) => name));
  return ({ name }) => !written.has(name);
}

function fingerprintsOf(rules: Rules): Fingerprints {
  return () => (object) => fingerprint(rules, (object as unknown as { model: ModelObject }).model);
}

function observed(model: ModelObject) {
  const { uid, version } = model;
  const metadata = { ...NAMED, uid: String(uid), resourceVersion: String(version) };
  return { metadata: { ...metadata, creationTimestamp: "" }, model } as never;
}
