/** How the last run of a key ended. */
export type Outcome =
  | "success"
  | "requeue_after"
  | "conflict"
  | "throttled"
  | "error"
  | "terminal_error"
  | "given_up"
  | "released"
  | "gone";

/** What is known of the runs of one key. Absent in the table means {@link NO_RECORD}. */
export interface ObjectRecord {
  /** Runs started. */
  readonly epoch: number;
  /** The lock: who runs, and until when at most (milliseconds since 1970). */
  readonly runId?: string;
  readonly runUntil?: number;
  /** Raised by each start, so that a run that died counts; the end corrects it. */
  readonly failures: number;
  /** Ends in a row that were throttled or in conflict; they double the delay. */
  readonly postponed?: number;
  /** Runs in a row that woke themselves by their own writes, and when the first of them ended. */
  readonly selfWakes?: number;
  readonly selfWakesSince?: number;
  /** Changes of the key wait until then: it keeps waking itself. */
  readonly heldUntil?: number;
  /** Receipt handle of the message that waits out a backoff in the queue. */
  readonly retryHandle?: string;
  /** A timer, in milliseconds since 1970. */
  readonly dueAt?: number;
  readonly outcome?: Outcome;
  /** The error's text, at most 256 bytes. */
  readonly error?: string;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  readonly reason?: string;
  /** Of the object, and of the code that made the last run. */
  readonly uid?: string;
  readonly generation?: number;
  readonly revision?: string;
  /** What the last ended run saw (see seen.ts); absent: nothing can be said. */
  readonly seen?: Uint8Array;
  /** Hashes of what the last good run applied (see applied.ts). */
  readonly applied?: Uint8Array;
  /** TTL in seconds since 1970; only once the object is gone or released. */
  readonly expiresAt?: number;
}

/** The record of a key that never ran. */
export const NO_RECORD: ObjectRecord = { epoch: 0, failures: 0 };

/** A run that begins. */
export interface RunStart {
  /** Unique for the invocation: the SDK repeats a request whose answer was lost, and must meet its own lock. */
  readonly runId: string;
  readonly nowMs: number;
  readonly runUntil: number;
  readonly reason: string;
}

/** What an end leaves behind. A field that is absent here is absent in the record afterwards. */
export interface RunEnd {
  /** That of the run's own start (Q5). */
  readonly epoch: number;
  readonly outcome: Outcome;
  readonly error?: string;
  readonly failures: number;
  readonly postponed?: number;
  readonly selfWakes?: number;
  readonly selfWakesSince?: number;
  readonly heldUntil?: number;
  readonly finishedAt: number;
  readonly dueAt?: number;
  readonly retryHandle?: string;
  readonly uid?: string;
  readonly generation?: number;
  readonly revision: string;
  readonly seen?: Uint8Array;
  readonly applied?: Uint8Array;
  readonly expiresAt?: number;
}
