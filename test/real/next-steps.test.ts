import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { DevProcess, freePorts } from "./dev-process.ts";
import { kubeBinaries } from "./kube-binaries.ts";

const ROOT = join(import.meta.dirname, "../..");
const TEST_LIMIT_MS = 60_000;

let dataDir = "";
let dev: DevProcess;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "tidegate's é & steps-"));
  dev = new DevProcess({ cwd: ROOT, args: ["--data", dataDir], port: await freePorts() });
});
afterEach(async () => {
  await dev.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test(
  "the commands that a start shows do what they say, as they stand",
  async () => {
    await dev.line(/^ {4}kubectl get /);
    const commands = dev.lines.flatMap((line) => /^ {4}(.*)$/.exec(line)?.[1] ?? []);
    // A watch goes on until it is ended; a second is enough for its first lines.
    const script = commands.map((each) => each.replace(/--watch$/, "--watch --request-timeout=1s"));
    const { kubectl } = await kubeBinaries({ env: process.env, progress });
    const PATH = [dirname(kubectl ?? "kubectl"), process.env.PATH].join(delimiter);
    const shell = ["-ec", script.join("\n")];
    const { stdout } = await promisify(execFile)("sh", shell, {
      cwd: ROOT,
      env: { ...process.env, PATH },
    });
    // The sample of the first folder that defines a kind: made, then found.
    const [, name] = /^(\S+\/hello) created$/m.exec(stdout) ?? [];
    const found = stdout.split("\n").filter((line) => /^(\S+\/)?hello +\S/.test(line));
    expect(found).toEqual([expect.stringContaining(`${name} created`), expect.any(String)]);
  },
  TEST_LIMIT_MS,
);

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}
