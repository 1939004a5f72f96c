import type { CustomResourceEvent, Host, Outcome } from "./custom-resource.ts";
import { failureCode } from "./failure-code.ts";

/** Of an answer, all in all. https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cfn-customresource.html */
const MAX_BYTES = 4096;
const TRIES = 6;
const TRY_MS = 5_000;

/**
 * Tells CloudFormation what became of a request. A text that is too long is cut. Rejects when that
 * could not be told after several tries: Lambda then invokes the function again.
 */
export async function sendAnswer(
  event: CustomResourceEvent,
  outcome: Outcome,
  { fetch, clock, log }: Pick<Host, "fetch" | "clock" | "log">,
): Promise<void> {
  const body = answerText(event, outcome);
  let last = "";
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if (attempt > 0) await clock.sleep(200 * 2 ** attempt);
    const late = new AbortController();
    const over = new AbortController();
    void clock.sleep(TRY_MS, over.signal).then(() => late.abort());
    try {
      // The URL is signed for no content type.
      const headers = { "content-type": "" };
      const sent = { method: "PUT", headers, body, signal: late.signal } as const;
      const { status } = await fetch(event.ResponseURL, sent);
      if (status >= 200 && status < 300) return;
      last = `status ${status}`;
    } catch (error) {
      last = failureCode(error) ?? "no answer"; // Not its message, which may have the URL.
    } finally {
      over.abort();
    }
    log.warn("CloudFormation was not told", { attempt: attempt + 1, got: last });
  }
  throw new Error(
    `cannot tell CloudFormation: expected its URL to take the answer, got ${last}; in a VPC the function needs a way to S3`,
  );
}

function answerText(event: CustomResourceEvent, outcome: Outcome): string {
  const { StackId, RequestId, LogicalResourceId } = event;
  const { physicalId: PhysicalResourceId, failure, data: Data } = outcome;
  const ids = { StackId, RequestId, LogicalResourceId, PhysicalResourceId };
  if (failure === undefined)
    return JSON.stringify({ Status: "SUCCESS", ...ids, ...(Data && { Data }) });
  const text = (Reason: string) => JSON.stringify({ Status: "FAILED", Reason, ...ids });
  let length = failure.length;
  let answer = text(failure);
  while (Buffer.byteLength(answer) > MAX_BYTES && length > 0) {
    length -= Math.max(1, Math.ceil((Buffer.byteLength(answer) - MAX_BYTES) / 6)); // "\u0000" is 6 bytes.
    answer = text(`${failure.slice(0, Math.max(0, length))}...`);
  }
  return answer;
}
