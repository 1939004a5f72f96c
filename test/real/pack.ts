import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "../..");

export interface Packed {
  /** The name of the file, in the folder that was asked for. */
  readonly filename: string;
  /** What it holds. */
  readonly paths: readonly string[];
  readonly unpackedBytes: number;
}

/** Packs this repository as npm publishes it. */
export async function pack(destination: string): Promise<Packed> {
  const args = ["pack", "--json", "--pack-destination", destination];
  const options = { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)("npm", args, options);
  // The build may print before it.
  const answer = JSON.parse(stdout.slice(stdout.search(/^[[{]/m))) as Answer[] | object;
  const [{ filename, files, unpackedSize }] = Object.values(answer) as [Answer];
  return { filename, paths: files.map(({ path }) => path), unpackedBytes: unpackedSize };
}

interface Answer {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
  readonly unpackedSize: number;
}
