import { Journal, type JournalOptions } from "./journal.ts";
import type { SqsChange, SqsState } from "./sqs-store.ts";

/** The journal of all queues. */
export class SqsJournal extends Journal<SqsChange> implements SqsState {
  constructor(options: JournalOptions) {
    super(
      { file: "sqs.jsonl", header: "sqsJournal", title: "sqs journal", content: "the queues" },
      options,
    );
  }
}
