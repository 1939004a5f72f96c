import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Dns } from "./dns.ts";

/**
 * A zone kept in a JSON file: stands in for a DNS service where there is none.
 *
 * Each change is read, changed and written as a whole and renamed into place, so a crash leaves the
 * old zone or the new one. Changes of one process go one after the other; of two processes that
 * change the file at the same moment, one can be lost until the next reconcile repeats it.
 */
export class ZoneFileDns implements Dns {
  readonly #file: string;
  readonly #zone: string;
  #last: Promise<void> = Promise.resolve();

  constructor(options: { readonly file: string; readonly zone: string }) {
    this.#file = options.file;
    this.#zone = options.zone;
  }

  owns(host: string): boolean {
    return host.endsWith(`.${this.#zone}`);
  }

  point(host: string, target: string): Promise<void> {
    return this.#change((records) => ({ ...records, [host]: target }));
  }

  remove(host: string): Promise<void> {
    return this.#change(({ [host]: _removed, ...rest }) => rest);
  }

  #change(edit: (records: Zone) => Zone): Promise<void> {
    const change = this.#last.then(() => this.#write(edit));
    this.#last = change.catch(() => {});
    return change;
  }

  async #write(edit: (records: Zone) => Zone): Promise<void> {
    const before = await this.#read();
    const after = edit(before);
    if (JSON.stringify(after) === JSON.stringify(before)) return;
    await mkdir(dirname(this.#file), { recursive: true });
    const written = `${this.#file}.${process.pid}`;
    await writeFile(written, `${JSON.stringify(after, null, 2)}\n`);
    await rename(written, this.#file);
  }

  async #read(): Promise<Zone> {
    try {
      return JSON.parse(await readFile(this.#file, "utf8")) as Zone;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
      throw new Error(`cannot read zone file ${this.#file}`, { cause: error });
    }
  }
}

/** Targets by host. */
type Zone = Readonly<Record<string, string>>;
