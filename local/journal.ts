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
import { diskFull } from "./write-failure.ts";

const VERSION = 1;

/** Below that a journal is not worth compacting; above it is compacted when it has doubled. */
const COMPACT_BYTES = 8 * 1_048_576;

/** Changes in one line of a compacted journal. */
const SNAPSHOT_LINE = 100;

/** What a journal is called, by whom it is read. */
export interface JournalNames<Change> {
  /** Of the file in the folder: "sqs.jsonl". */
  readonly file: string;
  /** In its first line: "sqsJournal". */
  readonly header: string;
  /** In log lines: "sqs journal". */
  readonly title: string;
  /** In errors: "the queues". */
  readonly content: string;
  /** A JSON array of changes. Default JSON.stringify. */
  readonly lineOf?: (changes: readonly Change[]) => string;
}

export interface JournalOptions {
  /** Made where it does not exist. One server at a time may use it. */
  readonly dir: string;
  readonly log: Logger;
  /** Writes bytes to a file; another one than Node's lets tests fill up the disk. */
  readonly write?: (fd: number, bytes: Buffer, offset: number) => number;
  /** 8 MiB by default. */
  readonly compactBytes?: number;
}

/** A journal cannot be written. Its log tells it once, whoever else meets it. */
export class JournalError extends Error {}

/**
 * Changes in a file, one line for each commit.
 *
 * J1. A line is written before its changes are carried out. What was answered to a caller survives
 *     the end of the process at any point; for the end of the machine it is not synced.
 * J2. A line that was not written whole is cut off: at once after a failed write, or at the next
 *     start after the process died of it.
 * J3. A compacted journal takes the place of the old one in one step.
 * J4. Whatever keeps it from being written is logged once, and once more when that is over.
 */
export class Journal<Change> {
  readonly #names: JournalNames<Change>;
  readonly #lineOf: (changes: readonly Change[]) => string;
  readonly #header: string;
  readonly #path: string;
  readonly #log: Logger;
  readonly #write: (fd: number, bytes: Buffer, offset: number) => number;
  readonly #minCompactBytes: number;
  #fd: number;
  #bytes = 0;
  #cutOff = false;
  /** A failed write could not be cut off: the next line must not continue it. */
  #torn = false;
  /** The last write failed, and the log knows. */
  #failing = false;
  #compactBytes: number;

  constructor(names: JournalNames<Change>, options: JournalOptions) {
    const { dir, log, write, compactBytes = COMPACT_BYTES } = options;
    this.#names = names;
    this.#lineOf = names.lineOf ?? JSON.stringify;
    this.#header = `${JSON.stringify({ [names.header]: VERSION })}\n`;
    this.#path = join(dir, names.file);
    this.#log = log;
    this.#write = write ?? ((fd, bytes, offset) => writeSync(fd, bytes, offset));
    this.#minCompactBytes = compactBytes;
    this.#compactBytes = compactBytes;
    try {
      mkdirSync(dir, { recursive: true });
      this.#fd = openSync(this.#path, "a");
    } catch (error) {
      throw this.#unwritable(error);
    }
  }

  /** Whether a torn line was cut off when it was loaded: something may be lost, if the machine ended. */
  get cutOff(): boolean {
    return this.#cutOff;
  }

  /** Whether it has grown so much that `compact` is worth while. */
  get full(): boolean {
    return this.#bytes >= this.#compactBytes;
  }

  /** Every change since the beginning, or others that lead to the same. Called once, first. */
  load(): Change[] {
    const content = readFileSync(this.#path);
    const end = content.lastIndexOf("\n") + 1;
    this.#checkVersion(content);
    if (end < content.length) {
      this.#cutOff = true;
      this.#log.warn(`${this.#names.title} ended in a torn line, which is cut off`, {
        bytes: content.length - end,
      });
      ftruncateSync(this.#fd, end);
    }
    this.#bytes = end;
    if (end === 0) this.#append(this.#header);
    return this.#changesOf(content.subarray(this.#header.length, end));
  }

  /** Keeps changes, all or none of them; throws where it cannot. */
  append(changes: readonly Change[]): void {
    try {
      this.#append(`${this.#lineOf(changes)}\n`);
    } catch (error) {
      const message = `${this.#names.title} cannot be written: what needs it fails`;
      if (!this.#failing) this.#log.error(message, { error });
      this.#failing = true;
      throw error;
    }
    if (this.#failing) this.#log.info(`${this.#names.title} can be written again`);
    this.#failing = false;
  }

  /** Replaces all that is kept by these changes. Logs a failure and goes on with the old journal: that one still holds everything. */
  compact(changes: Iterable<Change>): void {
    try {
      this.#replace(changes);
    } catch (error) {
      this.#log.warn(`${this.#names.title} could not be compacted`, { error });
    }
    this.#compactBytes = Math.max(this.#minCompactBytes, 2 * this.#bytes);
  }

  close(): void {
    closeSync(this.#fd);
  }

  #replace(changes: Iterable<Change>): void {
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
      throw this.#unwritable(error);
    }
  }

  #unwritable(cause: unknown): JournalError {
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    const advice = diskFull(code) ? "make space on its disk" : "make it one";
    return new JournalError(
      `cannot keep ${this.#names.content} in ${this.#path}: expected a file that can be written, got ${code}; ${advice}`,
      { cause },
    );
  }

  #cut(): void {
    try {
      ftruncateSync(this.#fd, this.#bytes);
      this.#torn = false;
    } catch {
      this.#torn = true; // The next line begins on a new one, and the loader skips what is torn.
    }
  }

  #writeAll(fd: number, changes: Iterable<Change>): number {
    let bytes = this.#writeWhole(fd, Buffer.from(this.#header));
    let line: Change[] = [];
    const flush = () => {
      if (line.length > 0) bytes += this.#writeWhole(fd, Buffer.from(`${this.#lineOf(line)}\n`));
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
    const first = content.subarray(0, this.#header.length).toString();
    if (this.#header.startsWith(first)) return; // Empty, torn while the header was written, or ours.
    throw new Error(
      `cannot read ${this.#names.content} of ${this.#path}: expected a journal of version ${VERSION}, got ${JSON.stringify(first)}; start with --fresh`,
    );
  }

  #changesOf(content: Buffer): Change[] {
    const changes: Change[] = [];
    let skipped = 0;
    for (let at = 0; at < content.length; ) {
      const end = content.indexOf("\n", at);
      const line = parsed<Change>(content.subarray(at, end).toString());
      for (const change of line ?? []) changes.push(change);
      if (!line && end > at) skipped += 1;
      at = end + 1;
    }
    if (skipped > 0)
      this.#log.warn(`${this.#names.title} has lines that were skipped`, { skipped });
    return changes;
  }
}

function parsed<Change>(line: string): Change[] | undefined {
  try {
    const changes: unknown = JSON.parse(line);
    return Array.isArray(changes) ? changes : undefined;
  } catch {
    return undefined; // Counted and logged by the caller.
  }
}
