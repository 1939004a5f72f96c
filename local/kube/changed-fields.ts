/**
 * The object with each field as `change` makes it, without those of which it makes undefined. Where
 * it changes none, that is the same object; nothing is changed in place.
 */
export function changedFields<T extends object>(
  object: T,
  change: (field: unknown, key: string) => unknown,
): T {
  let made: Record<string, unknown> | undefined;
  for (const [key, field] of Object.entries(object)) {
    const after = change(field, key);
    if (after === field) continue;
    made ??= { ...object } as Record<string, unknown>;
    if (after === undefined) Reflect.deleteProperty(made, key);
    else made[key] = after;
  }
  return (made as T | undefined) ?? object;
}

/** The list with each item as `change` makes it; the same list where it changes none. */
export function changedItems<T>(list: readonly T[], change: (item: T) => T): readonly T[] {
  let made: T[] | undefined;
  list.forEach((item, index) => {
    const after = change(item);
    if (after === item) return;
    made ??= [...list];
    made[index] = after;
  });
  return made ?? list;
}
