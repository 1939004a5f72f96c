import type { Controller } from "../shared/api/controller.ts";
import { textOf } from "./operate-facts.ts";
import type { Place } from "./operate-place.ts";

/** One thing that was looked at. */
export interface Check {
  /** What, "queue of website". */
  readonly name: string;
  readonly level: "ok" | "warn" | "fail";
  /** What was found. */
  readonly text: string;
  /** How to mend it. */
  readonly todo?: string;
}

/** What is looked at. */
export interface Patient {
  readonly place: Place;
  readonly controllers: readonly Controller[];
}

/** Looks; what cannot be looked at is a check that failed, and the others go on. */
export async function checked(
  name: string,
  look: () => Promise<readonly Check[]>,
): Promise<readonly Check[]> {
  try {
    return await look();
  } catch (error) {
    return [{ name, level: "fail", text: textOf(error) }];
  }
}

/** One check of what should be so: ok, or else what was expected and how to mend it. */
export function check(
  name: string,
  good: boolean,
  { text, todo, level = "fail" }: { text: string; todo: string; level?: "warn" | "fail" },
): Check {
  return good ? { name, level: "ok", text } : { name, level, text, todo };
}
