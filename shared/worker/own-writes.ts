import { type Controller, sourcesOf } from "../api/controller.ts";
import { groupKindOf, type Kind, type KubernetesObject } from "../api/object.ts";

/** What a run wrote by its client, as far as the echo will wake the key. */
export interface OwnWrites {
  /** Notes a state that was read, to compare with what is written. */
  readonly saw: (object: KubernetesObject) => void;
  readonly wrote: (kind: Kind, after: KubernetesObject) => void;
  /** Notes a write to part of an object, whose whole is not known afterwards. */
  readonly wrotePart: (kind: Kind, name: string, part: WrittenPart) => void;
  readonly deleted: (kind: Kind) => void;
  readonly any: () => boolean;
  /** Paths of fields that were changed ("Deployment web: spec.replicas"), at most 10. No values. */
  readonly fields: () => readonly string[];
}

/** A subresource after its write, with what its metadata says of the object. */
export interface WrittenPart {
  readonly subresource: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** Paths that are told. */
const MAX_FIELDS = 10;

/** Objects of which a state is remembered; a reconciler that lists thousands is told less. */
const MAX_OBJECTS = 100;

/** Watches a run's writes to kinds that its controller watches. A write that changed nothing has no echo. */
export function ownWritesOf(controller: Controller): OwnWrites {
  const watched = new Set(sourcesOf(controller).map(({ kind }) => groupKindOf(kind)));
  const states = new Map<string, KubernetesObject>();
  const fields: string[] = [];
  let any = false;
  return {
    saw: (object) => {
      if (states.size < MAX_OBJECTS) states.set(object.metadata.uid, object);
    },
    wrote: (kind, after) => {
      const before = states.get(after.metadata.uid);
      states.set(after.metadata.uid, after);
      const silent = before?.metadata.resourceVersion === after.metadata.resourceVersion;
      if (silent || !watched.has(groupKindOf(kind))) return;
      any = true;
      const where = `${kind.kind} ${after.metadata.name}`;
      if (!before) fields.push(where);
      else for (const path of changedPaths(before, after)) fields.push(`${where}: ${path}`);
    },
    wrotePart: (kind, name, { subresource, uid = "", resourceVersion }) => {
      const before = states.get(uid)?.metadata.resourceVersion;
      states.delete(uid);
      const silent = before !== undefined && before === resourceVersion;
      if (silent || !watched.has(groupKindOf(kind))) return;
      any = true;
      fields.push(`${kind.kind} ${name}: ${subresource}`);
    },
    deleted: (kind) => {
      any ||= watched.has(groupKindOf(kind));
    },
    any: () => any,
    fields: () => fields.slice(0, MAX_FIELDS),
  };
}

/** Changed by every write: they tell nothing. */
const ALWAYS = new Set([
  "metadata.resourceVersion",
  "metadata.generation",
  "metadata.managedFields",
]);

function changedPaths(before: unknown, after: unknown, path = ""): string[] {
  if (ALWAYS.has(path) || JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!plain(before) || !plain(after)) return [path];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) =>
    changedPaths(before[key], after[key], path === "" ? key : `${path}.${key}`),
  );
}

function plain(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
