import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, test } from "@jest/globals";
import { withoutKnown } from "./known-differences.ts";
import type { Peer } from "./peer.ts";
import type { Scenario } from "./scenario.ts";
import { differences, type Exchange, type Recording, recordingText } from "./transcript.ts";
import { transcriptOf } from "./transcript-of.ts";

const FOLDER = join(import.meta.dirname, "..");
const LIMIT_MS = 60_000;
/** The first start on a machine may build the server. */
const START_LIMIT_MS = 60 * 60_000;
/** A broken server fails in thousands of places; the first ones tell enough. */
const MOST_LINES = 40;

export interface KubeContractOptions {
  /** A fresh server, for all scenarios. */
  readonly start: () => Promise<Peer>;
  /** Files of scenarios; default: all. */
  readonly only?: readonly string[];
  /** Writes the recordings instead of comparing with them. Default false. */
  readonly record?: boolean;
  /**
   * Of a server of our own, whose texts may differ as known-differences.ts says. By file: scenarios
   * whose answers are known to differ still. They are told all the same, and the
   * test fails once one of them is as recorded, so that the list only ever gets shorter.
   */
  readonly open?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Registers one test a scenario: it runs on the server, and all that the server answered must be as
 * recorded from kube-apiserver. Resolves once the files of scenarios are loaded.
 */
export async function kubeContract(name: string, options: KubeContractOptions): Promise<void> {
  const files = await Promise.all((options.only ?? scenarioFiles()).map(loaded));
  describe(name, () => {
    let peer: Peer | undefined;
    beforeAll(async () => {
      peer = await options.start();
    }, START_LIMIT_MS);
    afterAll(() => peer?.close());
    const tell = (told: Scenario) => {
      if (!peer) throw new Error(`testing ${name}: expected it to be started`);
      return transcriptOf(told, peer);
    };
    for (const file of files) {
      describe(file.name, () => {
        if (options.record) recorded(file, tell);
        else compared(file, tell, options.open);
      });
    }
  });
}

interface ScenarioFile {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
}

type Tell = (told: Scenario) => Promise<readonly Exchange[]>;

function compared(
  { name, scenarios }: ScenarioFile,
  tell: Tell,
  ours: KubeContractOptions["open"],
): void {
  const open = ours?.[name] ?? [];
  const recording = recordingOf(name);
  test.each(scenarios.map((told) => [told.name, told] as const))(
    "%s",
    async (_, told) => {
      const expected = recording[told.name];
      if (!expected) throw new Error(`${name}: expected a recording of "${told.name}", got none`);
      const got = await tell(told);
      const shown = (all: readonly Exchange[]) => (ours ? withoutKnown(name, told.name, all) : all);
      const lines = differences(shown(expected), shown(got));
      if (!open.includes(told.name) && lines.length > 0) throw failure(lines);
      if (open.includes(told.name) && lines.length === 0) throw mended(name, told.name);
    },
    LIMIT_MS,
  );
}

/** Scenarios that a filter leaves out keep their recordings. */
function recorded({ name, scenarios }: ScenarioFile, tell: Tell): void {
  const before = recordingOf(name);
  const now = new Map<string, readonly Exchange[]>();
  test.each(scenarios.map((told) => [told.name, told] as const))(
    "%s",
    async (_, told) => void now.set(told.name, await tell(told)),
    LIMIT_MS,
  );
  afterAll(() => {
    const kept = scenarios.map(({ name: each }) => [each, now.get(each) ?? before[each]] as const);
    const recording = Object.fromEntries(kept.filter(([, exchanges]) => exchanges !== undefined));
    if (now.size > 0) writeFileSync(recordingPath(name), recordingText(recording as Recording));
  });
}

function mended(file: string, name: string): Error {
  return new Error(
    `${file}: expected "${name}" to differ still, got the answers as recorded; take it off the list of open differences`,
  );
}

/** Without a stack, which would only name this file. */
function failure(lines: readonly string[]): Error {
  const rest = lines.length - MOST_LINES;
  const more = rest > 0 ? [`... and ${rest} more differences`] : [];
  const text = ["answers differ from kube-apiserver's:", ...lines.slice(0, MOST_LINES), ...more];
  return Object.assign(new Error(text.join("\n")), { stack: text.join("\n") });
}

function scenarioFiles(): readonly string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -".ts".length))
    .sort();
}

async function loaded(name: string): Promise<ScenarioFile> {
  const module = await import(pathToFileURL(join(FOLDER, `${name}.ts`)).href);
  return { name, scenarios: module.scenarios as readonly Scenario[] };
}

function recordingPath(name: string): string {
  return join(FOLDER, "recorded", `${name}.json`);
}

function recordingOf(name: string): Recording {
  try {
    return JSON.parse(readFileSync(recordingPath(name), "utf8")) as Recording;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
}
