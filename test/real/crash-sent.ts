/** A request that was sent to the queue. */
export interface SentRequest {
  readonly name: string;
  readonly body: string;
  /** That of an earlier one, where it was swallowed; undefined where it was refused. */
  readonly messageId: string | undefined;
}

/** Begins a line with one. */
export const SENT_MARK = "@sent ";

/** Begins a line with the id of a message that is handed out again while somebody works on it. */
export const AGAIN_MARK = "@again ";

/** The request that a line tells of, if it does. */
export function sentIn(line: string): SentRequest | undefined {
  if (!line.startsWith(SENT_MARK)) return undefined;
  return JSON.parse(line.slice(SENT_MARK.length)) as SentRequest;
}
