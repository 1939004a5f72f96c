/** Which messages of a batch stay in the queue, by the rules of Lambda's event source mapping. */
export type Kept =
  | { readonly all: true; readonly why?: string }
  | { readonly all: false; readonly ids: ReadonlySet<string> };

/**
 * Reads a function's answer. An empty answer is a complete success; one that cannot be understood,
 * or names a message that was not in the batch, is a complete failure.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export function keptByAnswer(body: string, batch: ReadonlySet<string>): Kept {
  const answer = parsed(body);
  if (answer === INVALID) return { all: true, why: "the answer is not JSON" };
  if (answer === null || answer === undefined) return { all: false, ids: new Set() };
  const failures = (answer as { batchItemFailures?: unknown }).batchItemFailures;
  if (failures === null || failures === undefined) return { all: false, ids: new Set() };
  if (!Array.isArray(failures)) return { all: true, why: "batchItemFailures is not a list" };
  const ids = new Set<string>();
  for (const entry of failures as readonly { itemIdentifier?: unknown }[]) {
    const id = entry?.itemIdentifier;
    if (typeof id !== "string" || id === "")
      return { all: true, why: "an itemIdentifier is missing" };
    if (!batch.has(id)) return { all: true, why: `${id} is not in the batch` };
    ids.add(id);
  }
  return { all: false, ids };
}

const INVALID = Symbol("not JSON");

function parsed(body: string): unknown {
  try {
    return body === "" ? null : JSON.parse(body);
  } catch {
    return INVALID;
  }
}
