import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { homedir, hostname } from "node:os";
import { join } from "node:path";

/**
 * A file beside a cluster of yours: what the test of this machine that runs against it has created.
 * A test that is killed leaves it, and the next one finds there what to delete.
 */
export class LeftObjects {
  /** Of whoever may write; there is one for all tests of a cluster. */
  readonly lockPath: string;
  readonly #path: string;

  private constructor(path: string) {
    this.#path = `${path}.left`;
    this.lockPath = `${path}.lock`;
  }

  static async of(server: string): Promise<LeftObjects> {
    const folder = join(
      process.env.XDG_CACHE_HOME || join(homedir(), ".cache"),
      "tidegate",
      "tests",
    );
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = createHash("sha256").update(`${hostname()} ${server}`).digest("hex").slice(0, 16);
    return new LeftObjects(join(folder, name));
  }

  /** Paths of the API; none where the last test ended well. */
  async read(): Promise<readonly string[]> {
    const text = await readFile(this.#path, "utf8").catch(() => "");
    return text.split("\n").filter((line) => line !== "");
  }

  /** At once, for the process may be killed in the next moment. */
  note(path: string): void {
    appendFileSync(this.#path, `${path}\n`, { mode: 0o600 });
  }

  /** Nothing is left. */
  async forget(): Promise<void> {
    await rm(this.#path, { force: true });
  }

  async unlock(): Promise<void> {
    await rm(this.lockPath, { force: true });
  }
}
