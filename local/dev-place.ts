import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dataDirHeld } from "./dev-data.ts";
import type { FunctionState } from "./function-pause.ts";

/** What others need to find and operate a running `tidegate dev`. No secrets: those are in `access.json`. */
export interface DevPlace {
  /** The name under which records are kept. */
  readonly cluster: string;
  readonly table: string;
  readonly sqsEndpoint: string;
  readonly dynamoDbEndpoint: string;
  readonly region: string;
  readonly functionsDir: string;
  /** Of the watcher's health and metrics. */
  readonly watcherUrl: string;
  /** An access file for the API server. */
  readonly accessFile: string;
  /** By controller name. */
  readonly controllers: Readonly<Record<string, FunctionState>>;
}

const FILE = "dev.json";

/** Keeps `dev.json` as the running process is. */
export class DevPlaceFile {
  readonly #file: string;
  #place: DevPlace;

  constructor(dataDir: string, place: Omit<DevPlace, "controllers">) {
    this.#file = join(dataDir, FILE);
    this.#place = { ...place, controllers: {} };
    this.#write();
  }

  /** Tells the states of all controllers. */
  update(controllers: DevPlace["controllers"]): void {
    this.#place = { ...this.#place, controllers };
    this.#write();
  }

  async remove(): Promise<void> {
    rmSync(this.#file, { force: true });
  }

  /** Whole at any moment, for others read it; synchronous, so that states come in their order. */
  #write(): void {
    const written = `${this.#file}.new`;
    writeFileSync(written, `${JSON.stringify(this.#place, null, 2)}\n`, { mode: 0o600 });
    renameSync(written, this.#file);
  }
}

/** What runs on a folder of local state; undefined where nothing does. */
export async function readDevPlace(dataDir: string): Promise<DevPlace | undefined> {
  // One that was killed left its file behind.
  if (!(await dataDirHeld(dataDir))) return undefined;
  try {
    return JSON.parse(readFileSync(join(dataDir, FILE), "utf8")) as DevPlace;
  } catch {
    return undefined; // It is starting.
  }
}
