import { isPart, type Part } from "./built-in-visit.ts";

/** Sets fields that are missing or empty text. */
export function setMissing(part: Part, defaults: Part): void {
  for (const [key, value] of Object.entries(defaults)) {
    if (part[key] === undefined || part[key] === "") part[key] = structuredClone(value);
  }
}

/** Sets numbers that are missing or 0. */
export function setZero(part: Part, defaults: Readonly<Record<string, number>>): void {
  for (const [key, value] of Object.entries(defaults)) {
    if (part[key] === undefined || part[key] === 0) part[key] = value;
  }
}

/** The object in a field; made if there is none. */
export function partOf(part: Part, key: string): Part {
  const found = part[key];
  if (isPart(found)) return found;
  const made: Part = {};
  part[key] = made;
  return made;
}

/** The objects in a field with a list; what is no object is left out. */
export function partsIn(part: Part, key: string): Part[] {
  const list = part[key];
  return Array.isArray(list) ? list.filter(isPart) : [];
}
