import { isDeepStrictEqual } from "node:util";
import { copy, isJson, type Json } from "./fake-object.ts";

/** A step into an object: a field, or the item of a list whose `key` has `value`. */
type Step = string | { readonly key: string; readonly value: unknown };

/** RFC 7386. */
export function mergePatched(live: unknown, patch: unknown): unknown {
  if (!isJson(patch)) return patch;
  const next: Json = isJson(live) ? { ...live } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete next[field];
    else next[field] = mergePatched(next[field], value);
  }
  return next;
}

/** RFC 6902. Throws where an operation does not fit, as the server answers 422. */
export function jsonPatched(live: Json, operations: readonly Json[]): Json {
  let next = copy(live);
  for (const { op, path, from, value } of operations) {
    const steps = pointer(String(path));
    if (op === "test") {
      if (!isDeepStrictEqual(jsonAt(next, steps), value))
        throw new Error(`test failed: ${String(path)}`);
    } else if (op === "remove") next = changed(next, steps, "remove");
    else if (op === "add" || op === "replace") {
      if (op === "replace") jsonAt(next, steps);
      next = changed(next, steps, op, copy(value ?? null));
    } else if (op === "move" || op === "copy") {
      const moved = copy(jsonAt(next, pointer(String(from))));
      if (op === "move") next = changed(next, pointer(String(from)), "remove");
      next = changed(next, steps, "add", moved);
    } else throw new Error(`unknown operation ${String(op)}`);
  }
  return next;
}

function pointer(path: string): readonly string[] {
  return path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function jsonAt(root: unknown, steps: readonly string[]): unknown {
  let found = root;
  for (const step of steps) {
    found = isJson(found) || Array.isArray(found) ? (found as Json)[step] : undefined;
    if (found === undefined) throw new Error(`missing path /${steps.join("/")}`);
  }
  return found;
}

function changed(root: Json, steps: readonly string[], op: string, value?: unknown): Json {
  const last = steps.at(-1);
  if (last === undefined) return value as Json;
  const parent = jsonAt(root, steps.slice(0, -1));
  if (Array.isArray(parent)) {
    const index = last === "-" ? parent.length : Number(last);
    if (!(index <= parent.length)) throw new Error(`no index ${last}`);
    if (op === "add") parent.splice(index, 0, value);
    else parent.splice(index, 1, ...(op === "remove" ? [] : [value]));
  } else if (isJson(parent)) {
    if (op === "remove") {
      if (!(last in parent)) throw new Error(`missing path /${steps.join("/")}`);
      delete parent[last];
    } else parent[last] = value;
  }
  return root;
}

/** Merges maps by field, and lists by the key that their items have; other lists are replaced whole. */
export function deepMerged(live: unknown, wanted: unknown, field = ""): unknown {
  if (isJson(wanted)) {
    const next: Json = isJson(live) ? { ...live } : {};
    for (const [name, value] of Object.entries(wanted)) {
      if (value === null) delete next[name];
      else next[name] = deepMerged(next[name], value, name);
    }
    return next;
  }
  if (!Array.isArray(wanted) || !Array.isArray(live)) return wanted;
  if (field === "finalizers") return [...new Set([...live, ...wanted])];
  const key = listKey([...live, ...wanted]);
  if (!key) return wanted;
  const next = [...live];
  for (const item of wanted) {
    const index = next.findIndex((other) => other[key] === item[key]);
    if (index < 0) next.push(item);
    else next[index] = deepMerged(next[index], item);
  }
  return next;
}

function listKey(items: readonly unknown[]): string | undefined {
  if (items.length === 0 || !items.every(isJson)) return undefined;
  const every = (key: string) => items.every((item) => isJson(item) && item[key] !== undefined);
  if (every("type") && every("status")) return "type";
  return ["uid", "name", "port", "containerPort"].find(every);
}

/** The paths of all leaves of a value and of all items of keyed lists, as text. */
export function leafPaths(value: unknown, at: readonly Step[] = []): string[] {
  const path = JSON.stringify(at);
  if (isJson(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([field, inner]) => leafPaths(inner, [...at, field]));
  }
  if (Array.isArray(value) && at.at(-1) === "finalizers") {
    return value.map((item) => JSON.stringify([...at, { key: "", value: item }]));
  }
  const key = Array.isArray(value) ? listKey(value) : undefined;
  if (!Array.isArray(value) || !key) return [path];
  return value.flatMap((item: Json) => {
    const step = [...at, { key, value: item[key] }];
    return [JSON.stringify(step), ...leafPaths(item, step)];
  });
}

/** The value at a path of `leafPaths`. */
export function valueAt(root: unknown, path: string): unknown {
  let found = root;
  for (const step of JSON.parse(path) as readonly Step[]) found = inside(found, step);
  return found;
}

/** The object without what is at the path, and without the maps that this leaves empty. */
export function without(root: unknown, steps: readonly Step[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined || root === undefined) return undefined;
  const inner = without(inside(root, step), rest);
  if (typeof step === "string") {
    if (!isJson(root)) return root;
    const { [step]: _, ...others } = root;
    const next = inner === undefined ? others : { ...root, [step]: inner };
    return Object.keys(next).length > 0 ? next : undefined;
  }
  if (!Array.isArray(root)) return root;
  const next = root.flatMap((item) =>
    !matches(item, step) ? [item] : inner === undefined ? [] : [inner],
  );
  return next.length > 0 ? next : undefined;
}

function inside(value: unknown, step: Step): unknown {
  if (typeof step === "string") return isJson(value) ? value[step] : undefined;
  return Array.isArray(value) ? value.find((item) => matches(item, step)) : undefined;
}

function matches(item: unknown, step: Exclude<Step, string>): boolean {
  return step.key === "" ? item === step.value : isJson(item) && item[step.key] === step.value;
}
