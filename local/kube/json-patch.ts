import { ApiError } from "./api-error.ts";
import { sameJson } from "./fields-equal.ts";
import { isMap, type Json } from "./fields-value.ts";

/** https://github.com/kubernetes/apiserver/blob/master/pkg/endpoints/handlers/patch.go */
const MAX_OPERATIONS = 10_000;

type Container = Record<string, unknown> | unknown[];

/**
 * The object after the operations of a JSON patch, all or none. As the server's library has it,
 * `replace` also adds a field that is missing, and negative indexes count from the end.
 *
 * Rejects with 400 what is no list of operations, with 413 too many of them, and with 422 an
 * operation that does not apply or a test that fails. https://www.rfc-editor.org/rfc/rfc6902
 */
export function jsonPatch(live: Json, operations: unknown): unknown {
  const list = operationsOf(operations);
  let document: unknown = structuredClone(live);
  for (const operation of list) document = applied(document, operation);
  return document;
}

function operationsOf(operations: unknown): readonly unknown[] {
  if (operations === null) return [];
  if (!Array.isArray(operations)) {
    throw undecodable(operations, "Go value of type []handlers.jsonPatchOp");
  }
  for (const operation of operations) checkOperation(operation);
  if (operations.length <= MAX_OPERATIONS) return operations;
  const got = `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${operations.length}`;
  throw new ApiError({ code: 413, reason: "RequestEntityTooLarge", message: got });
}

function checkOperation(operation: unknown): void {
  if (operation === null) return;
  if (!isMap(operation)) throw undecodable(operation, "Go value of type handlers.jsonPatchOp");
  for (const name of ["op", "path", "from"]) {
    const value = operation[name];
    if (value === undefined || value === null || typeof value === "string") continue;
    throw undecodable(value, `Go struct field jsonPatchOp.${name} of type string`);
  }
}

function applied(document: unknown, operation: unknown): unknown {
  if (!isMap(operation)) throw unprocessable();
  const { op, value } = operation;
  const path = textOf(operation.path);
  switch (op) {
    case "add":
      add(document, path, clone(value));
      return document;
    case "remove":
      remove(document, path);
      return document;
    case "replace":
      if (path === "") return replacedWhole(value);
      replace(document, path, clone(value));
      return document;
    case "move": {
      const from = textOf(operation.from);
      const moved = get(document, from);
      remove(document, from);
      add(document, path, moved);
      return document;
    }
    case "copy":
      add(document, path, clone(get(document, textOf(operation.from))));
      return document;
    case "test":
      test(document, path, value);
      return document;
    default:
      throw unprocessable();
  }
}

function clone(value: unknown): unknown {
  return value === undefined ? null : structuredClone(value);
}

function replacedWhole(value: unknown): unknown {
  if (typeof value !== "object" || value === null) throw unprocessable();
  return structuredClone(value);
}

/** The map or list that holds the last step of a path, and that step. */
function find(document: unknown, path: string): { holder: Container; key: string } {
  const [, ...steps] = path
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const key = steps.pop();
  if (key === undefined) throw unprocessable();
  const holder = steps.reduce(stepInto, document);
  if (!isContainer(holder)) throw unprocessable();
  return { holder, key };
}

function stepInto(holder: unknown, key: string): unknown {
  if (!isContainer(holder)) throw unprocessable();
  return Array.isArray(holder) ? holder[indexIn(holder, key, holder.length - 1)] : own(holder, key);
}

function get(document: unknown, path: string): unknown {
  const { holder, key } = find(document, path);
  return stepInto(holder, key);
}

function add(document: unknown, path: string, value: unknown): void {
  const { holder, key } = find(document, path);
  if (!Array.isArray(holder)) holder[key] = value;
  else if (key === "-") holder.push(value);
  else holder.splice(indexIn(holder, key, holder.length), 0, value);
}

function replace(document: unknown, path: string, value: unknown): void {
  const { holder, key } = find(document, path);
  if (Array.isArray(holder)) holder[indexIn(holder, key, holder.length - 1)] = value;
  else holder[key] = value;
}

function remove(document: unknown, path: string): void {
  const { holder, key } = find(document, path);
  if (Array.isArray(holder)) {
    holder.splice(indexIn(holder, key, holder.length - 1), 1);
    return;
  }
  if (!Object.hasOwn(holder, key)) throw unprocessable();
  delete holder[key];
}

function test(document: unknown, path: string, expected: unknown): void {
  const actual = path === "" ? document : get(document, path);
  if (!sameJson(actual ?? null, expected ?? null)) throw unprocessable();
}

/** Negative indexes count from behind the last index that is allowed. */
function indexIn(list: readonly unknown[], key: string, last: number): number {
  if (!/^[+-]?\d+$/u.test(key)) throw unprocessable();
  const index = Number(key) < 0 ? Number(key) + last + 1 : Number(key);
  if (index < 0 || index > last || index > list.length) throw unprocessable();
  return index;
}

function own(map: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function textOf(value: unknown): string {
  if (typeof value !== "string") throw unprocessable();
  return value;
}

function undecodable(value: unknown, into: string): ApiError {
  const others = typeof value === "boolean" ? "bool" : typeof value;
  const kind = Array.isArray(value) ? "array" : others;
  const message = `error decoding patch: json: cannot unmarshal ${kind} into ${into}`;
  return new ApiError({ code: 400, reason: "BadRequest", message });
}

/** The server does not say which operation it was. */
function unprocessable(): ApiError {
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: "the server rejected our request due to an error in our request",
    details: {},
  });
}
