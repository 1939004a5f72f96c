import type { RecordStore } from "../../shared/queue/record-store.ts";
import type { PlatformProcess } from "../../shared/testing/platform-process.ts";

interface Maker {
  readonly process: PlatformProcess;
  /** A start or an end of it was answered with an error. */
  failed: boolean;
}

/** Who made each run, as the table was told: so a run that never ended is told from one that was not ended. */
export class StartedRuns {
  readonly #makers = new Map<string, Maker>();

  /** The table as one process reaches it. */
  through(process: PlatformProcess, store: RecordStore): RecordStore {
    const maker: Maker = { process, failed: false };
    const noted = async <T>(answer: Promise<T>): Promise<T> => {
      try {
        return await answer;
      } catch (error) {
        maker.failed = true;
        throw error;
      }
    };
    const { read, due, clearTimer } = store;
    return {
      read,
      due,
      clearTimer,
      list: (owner) => store.list(owner),
      start: (key, start) => {
        this.#makers.set(start.runId, maker);
        return noted(store.start(key, start));
      },
      end: (key, end) => noted(store.end(key, end)),
    };
  }

  /** Whether something befell the run, so that its record may say for ever that it goes on. */
  befallen(runId: string): boolean {
    const maker = this.#makers.get(runId);
    return maker !== undefined && (maker.process.killed || maker.failed);
  }
}
