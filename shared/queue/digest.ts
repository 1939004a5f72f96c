import { hash } from "node:crypto";

/**
 * SHA-256 of a list of texts. Equal lists give equal digests and no two different lists are joined
 * into the same bytes: JSON delimits the parts, so ("a", "b-c") and ("a-b", "c") differ.
 */
export function digest(...parts: readonly string[]): Buffer {
  return hash("sha256", JSON.stringify(parts), "buffer"); // At once: half of what createHash costs.
}
