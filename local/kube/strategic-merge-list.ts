import { goText } from "./fields-text.ts";
import { isMap, type Json } from "./fields-value.ts";
import { internalError, listOfLists, noMergeKey, typeMismatch } from "./strategic-merge-error.ts";

/** How one list merges. */
export interface ListRule {
  /** Of the field. */
  readonly name: string;
  /** "merge", or something else for lists that are replaced. */
  readonly strategy: string | undefined;
  /** "" for lists of scalars. */
  readonly mergeKey: string;
  readonly mergeItem: (live: Json, patch: Json) => Json;
}

/** The live list with that of the patch; `deletion` names scalars to take out instead. */
export function mergedList(
  { live, items, deletion }: { live: unknown[]; items: unknown[]; deletion: boolean },
  rule: ListRule,
): unknown[] {
  if (rule.strategy !== "merge" && !deletion) return items;
  if (live.length === 0 && items.length === 0) return live;
  if (!holdsMaps([live, items])) {
    if (deletion) return live.filter((item) => !items.includes(item));
    return inOrder([...new Set([...live, ...items])], { first: items, live }, rule);
  }
  if (rule.mergeKey === "") {
    throw internalError(`cannot merge lists without merge key for ${rule.name}`);
  }
  return mergeItems(live.map(mapOrFail), items.map(mapOrFail), rule);
}

interface OrderedLists {
  readonly live: unknown[] | undefined;
  readonly items: unknown[] | undefined;
  readonly order: readonly unknown[];
}

/**
 * The merged list in the order that the patch gives ($setElementOrder): that one first, then the
 * live one. Undefined where neither side has the list.
 */
export function ordered(lists: OrderedLists, rule: ListRule): unknown[] | undefined {
  const { live = [], items = [], order } = lists;
  checkOrder(items, order, rule);
  const merged = unordered(lists, rule);
  if (!merged) return undefined;
  holdsMaps([live, items]);
  return inOrder(merged, { first: order, live }, rule);
}

/** Without the parts that only direct the merge; undefined where the value itself is such a part. */
export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return directiveFree(value);
  if (!isMap(value)) return value;
  if (value.$patch !== undefined) return undefined;
  const entries = Object.entries(value).map(([name, field]) => [name, withoutDirectives(field)]);
  return Object.fromEntries(entries.filter(([, field]) => field !== undefined));
}

function directiveFree(items: readonly unknown[]): unknown[] {
  return items.map(withoutDirectives).filter((item) => item !== undefined);
}

function unordered({ live, items }: OrderedLists, rule: ListRule): unknown[] | undefined {
  if (live && items) return mergedList({ live, items, deletion: false }, rule);
  return live ?? (items && directiveFree(items));
}

function mergeItems(live: readonly Json[], items: readonly Json[], rule: ListRule): unknown[] {
  const { mergeKey } = rule;
  const { kept, rest } = directed(live, items, mergeKey);
  const merged: Json[] = [...kept];
  for (const item of rest) {
    if (item[mergeKey] === undefined) throw noMergeKey(item, mergeKey);
    const index = merged.findIndex((one) => one[mergeKey] === item[mergeKey]);
    const known = merged[index];
    if (known) merged[index] = rule.mergeItem(known, item);
    else merged.push(item);
  }
  return inOrder(merged, { first: rest, live: kept }, rule);
}

/** Takes out the items that are directives ($patch), and does what they say. */
function directed(
  live: readonly Json[],
  items: readonly Json[],
  mergeKey: string,
): { kept: readonly Json[]; rest: readonly Json[] } {
  let kept = live;
  let replaced = false;
  const rest = items.filter((item) => item.$patch === undefined);
  for (const item of items) {
    const directive = item.$patch;
    if (directive === undefined) continue;
    if (directive === "replace") replaced = true;
    else if (directive === "merge") {
      throw internalError("merging lists cannot yet be specified in the patch");
    } else if (directive !== "delete") {
      throw internalError(`unknown patch type: ${goText(directive)} in map: ${goText(item)}`);
    } else if (item[mergeKey] === undefined) throw noMergeKey(item, mergeKey);
    else kept = kept.filter((one) => one[mergeKey] !== item[mergeKey]);
  }
  return replaced ? { kept: rest, rest: [] } : { kept, rest };
}

/** Items named in `first` in its order, the others in the live order, put in where they stood. */
function inOrder(
  merged: readonly unknown[],
  { first, live }: { first: readonly unknown[]; live: readonly unknown[] },
  { mergeKey }: ListRule,
): unknown[] {
  const keyOf = (item: unknown) => (mergeKey === "" ? item : keyValue(item, mergeKey));
  const rank = (list: readonly unknown[]) => {
    const keys = list.map(keyOf);
    return (item: unknown) => keys.indexOf(keyOf(item));
  };
  const [rankInFirst, rankInLive] = [rank(first), rank(live)];
  const named = merged.filter((item) => rankInFirst(item) >= 0);
  const others = merged.filter((item) => rankInFirst(item) < 0);
  named.sort((a, b) => rankInFirst(a) - rankInFirst(b));
  others.sort((a, b) => rankInLive(a) - rankInLive(b));
  const out: unknown[] = [];
  for (const item of named) {
    const before = rankInLive(item);
    while (others.length > 0 && before >= 0 && isBefore(rankInLive(others[0]), before)) {
      out.push(others.shift());
    }
    out.push(item);
  }
  return [...out, ...others];
}

function isBefore(rank: number, other: number): boolean {
  return rank >= 0 && rank < other;
}

function keyValue(item: unknown, mergeKey: string): unknown {
  if (!isMap(item)) throw typeMismatch({}, item);
  if (item[mergeKey] === undefined) throw noMergeKey(item, mergeKey);
  return item[mergeKey];
}

/** The items of a patch must be in the order that the patch gives. */
function checkOrder(items: readonly unknown[], order: readonly unknown[], rule: ListRule): void {
  if (items.length === 0 || order.length === 0) return;
  const { mergeKey } = rule;
  const equal = (a: unknown, b: unknown) =>
    mergeKey === "" ? a === b : keyValue(a, mergeKey) === keyValue(b, mergeKey);
  let next = 0;
  const rest = items.filter((item) => !isMap(item) || item.$patch === undefined);
  for (const step of order) {
    if (next < rest.length && equal(rest[next], step)) next++;
  }
  if (next >= rest.length) return;
  throw internalError(
    `The order in patch list:\n${goText(items)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
  );
}

/** All items must be of one kind; lists of lists cannot be merged. */
function holdsMaps(lists: readonly (readonly unknown[])[]): boolean {
  const all = lists.flat();
  if (Array.isArray(all[0])) throw listOfLists();
  const kinds = new Set(all.map((item) => (isMap(item) ? "map" : typeof item)));
  if (kinds.size > 1) {
    throw internalError(`list element types are not identical: ${goText(lists)}`);
  }
  if (kinds.size === 0) throw internalError("no elements in any of the given slices");
  return kinds.has("map");
}

function mapOrFail(item: unknown): Json {
  if (isMap(item)) return item;
  throw typeMismatch({}, item);
}
