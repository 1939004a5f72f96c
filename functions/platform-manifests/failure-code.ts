/** The code that Node gave a failure, such as "ENOTFOUND", of the error itself or of what it was caused by. */
export function failureCode(error: unknown): string | undefined {
  let each = error as { readonly code?: unknown; readonly cause?: unknown } | undefined;
  for (let depth = 0; each && depth < MAX_DEPTH; depth += 1) {
    if (typeof each.code === "string") return each.code;
    each = each.cause as typeof each;
  }
  return undefined;
}

/** A chain of causes may be a ring. */
const MAX_DEPTH = 8;
