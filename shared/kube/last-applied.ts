import { LAST_APPLIED } from "../api/object.ts";
import { metadataOf } from "./strip.ts";

/** Characters of all texts together; one has up to 256 kB. */
const TOTAL_LIMIT = 8 * 1024 * 1024;

/**
 * Remembers kubectl's last-applied annotation of objects that were read, so that a PUT of the object
 * puts it back. Without it the next `kubectl apply` of its owner would no longer remove fields.
 * Forgets the oldest when it is full: safe, and as if the annotation had never been there.
 */
export class LastApplied {
  readonly #texts = new Map<string, string>();
  #length = 0;

  /** To be called with an object as it was read. */
  remember(object: unknown): void {
    const text = metadataOf(object)?.annotations?.[LAST_APPLIED];
    const id = idOf(object);
    if (typeof text !== "string" || id === undefined || this.#texts.has(id)) return;
    this.#texts.set(id, text);
    this.#length += text.length;
    for (const [oldest, { length }] of this.#texts) {
      if (this.#length <= TOTAL_LIMIT) return;
      this.#texts.delete(oldest);
      this.#length -= length;
    }
  }

  /** The object with the annotation of the version that it replaces, unless it has one of its own. */
  restored(object: object): object {
    const id = idOf(object);
    const text = id === undefined ? undefined : this.#texts.get(id);
    const metadata = metadataOf(object);
    if (text === undefined || metadata?.annotations?.[LAST_APPLIED] !== undefined) return object;
    const annotations = { ...metadata?.annotations, [LAST_APPLIED]: text };
    return { ...object, metadata: { ...metadata, annotations } };
  }
}

function idOf(object: unknown): string | undefined {
  const { uid, resourceVersion } = metadataOf(object) ?? {};
  return uid && resourceVersion ? JSON.stringify([uid, resourceVersion]) : undefined;
}
