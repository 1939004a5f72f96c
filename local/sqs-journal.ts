import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Logger } from "../shared/api/log.ts";
import type { SqsChange, SqsState } from "./sqs-store.ts";

const VERSION = 1;
const HEADER = `${JSON.stringify({ sqsJournal: VERSION })}\n`;

/** Below that a journal is not worth compacting; above it is compacted when it has doubled. */
const COMPACT_BYTES = 8 * 1_048_576;

/** Changes in one line of a compacted journal. */
const SNAPSHOT_LINE = 100;

export interface SqsJournalOptions {
  /** Made where it does not exist. One server at a time may use it. */
  readonly dir: string;
  readonly log: Logger;
  /** Writes bytes to a file; another one than Node's lets tests fill up the disk. */
  readonly write?: (fd: number, bytes: Buffer, offset: number) => number;
  /** 8 MiB by default. */
  readonly compactBytes?: number;
}

/**
 * Changes in a file, one line for each commit.
 *
 * J1. A line is written before its changes are carried out. What was answered to a caller survives
 *     the end of the process at any point; for the end of the machine it is not synced.
 * J2. A line that was not written whole is cut off: at once after a failed write, or at the next
 *     start after the process died of it.
 * J3. A compacted journal takes the place of the old one in one step.
 */
export class SqsJournal implements SqsState {
  readonly #path: string;
  readonly #log: Logger;
  readonly #write: (fd: number, bytes: Buffer, offset: number) => number;
  readonly #minCompactBytes: number;
  #fd: number;
  #bytes = 0;
  /** A failed write could not be cut off: the next line must not continue it. */
  #torn = false;
  #compactBytes: number;

  constructor({ dir, log, write, compactBytes = COMPACT_BYTES }: SqsJournalOptions) {
    this.#path = join(dir, "sqs.jsonl");
    this.#log = log;
    this.#write = write ?? ((fd, bytes, offset) => writeSync(fd, bytes, offset));
    this.#minCompactBytes = compactBytes;
    this.#compactBytes = compactBytes;
    mkdirSync(dir, { recursive: true });
    this.#fd = openSync(this.#path, "a");
  }

  get full(): boolean {
    return this.#bytes >= this.#compactBytes;
  }

  load(): SqsChange[] {
    const content = readFileSync(this.#path);
    const end = content.lastIndexOf("\n") + 1;
    this.#checkVersion(content);
    if (end < content.length) {
      this.#log.warn("sqs journal ended in a torn line, which is cut off", {
        bytes: content.length - end,
      });
      ftruncateSync(this.#fd, end);
    }
    this.#bytes = end;
    if (end === 0) this.#append(HEADER);
    return this.#changesOf(content.subarray(HEADER.length, end));
  }

  append(changes: readonly SqsChange[]): void {
    this.#append(`${JSON.stringify(changes)}\n`);
  }

  /** Logs a failure and goes on with the old journal: that one still holds everything. */
  compact(changes: Iterable<SqsChange>): void {
    try {
      this.#replace(changes);
    } catch (error) {
      this.#log.warn("sqs journal could not be compacted", { error });
    }
    this.#compactBytes = Math.max(this.#minCompactBytes, 2 * this.#bytes);
  }

  close(): void {
    closeSync(this.#fd);
  }

  #replace(changes: Iterable<SqsChange>): void {
    const path = `${this.#path}.new`;
    rmSync(path, { force: true });
    const fd = openSync(path, "a");
    try {
      const bytes = this.#writeAll(fd, changes);
      renameSync(path, this.#path);
      closeSync(this.#fd);
      this.#fd = fd;
      this.#bytes = bytes;
      this.#torn = false;
    } catch (error) {
      closeSync(fd);
      rmSync(path, { force: true });
      throw error;
    }
  }

  #append(line: string): void {
    const bytes = Buffer.from(this.#torn ? `\n${line}` : line);
    try {
      this.#writeWhole(this.#fd, bytes);
      this.#bytes += bytes.length;
      this.#torn = false;
    } catch (error) {
      this.#cut();
      throw error;
    }
  }

  #cut(): void {
    try {
      ftruncateSync(this.#fd, this.#bytes);
      this.#torn = false;
    } catch {
      this.#torn = true; // The next line begins on a new one, and the loader skips what is torn.
    }
  }

  #writeAll(fd: number, changes: Iterable<SqsChange>): number {
    let bytes = this.#writeWhole(fd, Buffer.from(HEADER));
    let line: SqsChange[] = [];
    const flush = () => {
      if (line.length > 0) bytes += this.#writeWhole(fd, Buffer.from(`${JSON.stringify(line)}\n`));
      line = [];
    };
    for (const change of changes) {
      line.push(change);
      if (line.length === SNAPSHOT_LINE) flush();
    }
    flush();
    return bytes;
  }

  #writeWhole(fd: number, bytes: Buffer): number {
    for (let offset = 0; offset < bytes.length; ) offset += this.#write(fd, bytes, offset);
    return bytes.length;
  }

  #checkVersion(content: Buffer): void {
    const first = content.subarray(0, HEADER.length).toString();
    if (HEADER.startsWith(first)) return; // Empty, torn while the header was written, or ours.
    throw new Error(
      `reading the queues of ${this.#path}: expected a journal of version ${VERSION}, got ${JSON.stringify(first)}; start with --fresh`,
    );
  }

  #changesOf(content: Buffer): SqsChange[] {
    const changes: SqsChange[] = [];
    let skipped = 0;
    for (let at = 0; at < content.length; ) {
      const end = content.indexOf("\n", at);
      const line = parsed(content.subarray(at, end).toString());
      for (const change of line ?? []) changes.push(change);
      if (!line && end > at) skipped += 1;
      at = end + 1;
    }
    if (skipped > 0) this.#log.warn("sqs journal has lines that were skipped", { skipped });
    return changes;
  }
}

function parsed(line: string): SqsChange[] | undefined {
  try {
    const changes: unknown = JSON.parse(line);
    return Array.isArray(changes) ? changes : undefined;
  } catch {
    return undefined; // Counted and logged by the caller.
  }
}
