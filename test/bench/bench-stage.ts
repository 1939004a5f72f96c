import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a part of the benchmark gets: a place for files, and things that are undone at the end. */
export interface BenchStage {
  /** Temporary. */
  readonly folder: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** All sizes are multiplied by this; 1 but for trying out. */
  readonly scale: number;
  /** One line for the person who waits. */
  readonly progress: (line: string) => void;
  /** Something to undo at the end, the newest first, whatever happens. */
  readonly onClose: (undo: () => Promise<unknown>) => void;
}

export interface OpenStage extends BenchStage {
  readonly close: () => Promise<void>;
}

export async function openStage(
  options: Pick<BenchStage, "signal" | "scale" | "progress">,
): Promise<OpenStage> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-bench-"));
  const undos = [() => rm(folder, { recursive: true, force: true })];
  return {
    ...options,
    folder,
    onClose: (undo) => void undos.unshift(async () => void (await undo())),
    close: async () => {
      // Each is tried, so that one that fails leaves nothing else behind.
      for (const undo of undos.splice(0)) {
        await undo().catch((error: unknown) =>
          options.progress(`cannot clean up: ${String(error)}`),
        );
      }
    },
  };
}
