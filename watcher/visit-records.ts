import type { ObjectRecord } from "../shared/queue/record.ts";
import type { RecordStore } from "../shared/queue/record-store.ts";
import type { RequestKey } from "../shared/queue/request.ts";
import { untilAborted } from "./bell.ts";

export interface RecordsOptions {
  readonly store: Pick<RecordStore, "list">;
  readonly cluster: string;
  readonly controller: string;
}

/**
 * Shows every record of a controller to `visit`, page by page. Resolves to whether it came to the
 * end: not where the signal was aborted before. Rejects when the records cannot be listed.
 */
export async function visitRecords(
  { store, cluster, controller }: RecordsOptions,
  visit: (key: RequestKey, record: ObjectRecord) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const pages = store.list({ cluster, controller })[Symbol.asyncIterator]();
  for (;;) {
    const page = await untilAborted(pages.next(), signal);
    if (!page) return false;
    if (page.done) return true;
    for (const { key, record } of page.value) visit(key, record);
  }
}
