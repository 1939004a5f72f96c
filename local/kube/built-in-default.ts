import { isPart, type Part } from "./built-in-visit.ts";
import { isFrozen, thawed } from "./frozen.ts";

/** Sets fields that are missing or empty text. */
export function setMissing(part: Part, defaults: Part): void {
  for (const [key, value] of Object.entries(defaults)) {
    if (part[key] === undefined || part[key] === "") part[key] = thawed(value);
  }
}

/** Sets numbers that are missing or 0. */
export function setZero(part: Part, defaults: Readonly<Record<string, number>>): void {
  for (const [key, value] of Object.entries(defaults)) {
    if (part[key] === undefined || part[key] === 0) part[key] = value;
  }
}

/** The object in a field, to be changed: made if there is none, and a copy in the place of a frozen one. */
export function partOf(part: Part, key: string): Part {
  const found = part[key];
  if (isPart(found) && !isFrozen(found)) return found;
  const made: Part = isPart(found) ? { ...found } : {};
  part[key] = made;
  return made;
}

/** The objects in a field with a list, to be changed: copies in the place of frozen ones. */
export function ownPartsIn(part: Part, key: string): Part[] {
  const list = part[key];
  if (!Array.isArray(list)) return [];
  const own = list.map((each: unknown) => (isPart(each) && isFrozen(each) ? { ...each } : each));
  part[key] = own;
  return own.filter(isPart);
}

/** The objects in a field with a list; what is no object is left out. */
export function partsIn(part: Part, key: string): Part[] {
  const list = part[key];
  return Array.isArray(list) ? list.filter(isPart) : [];
}
