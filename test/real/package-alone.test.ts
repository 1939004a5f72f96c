import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { pack } from "./pack.ts";

// The packed file by itself: what checkers of packages say of it, what works with nothing beside
// it, and what it says on a Node that cannot run it. Installing needs npm's registry.

const LIMIT_MS = 10 * 60_000;
const CHECKERS = ["publint@0.3.25", "@arethetypeswrong/cli@0.18.5"];
/** The oldest that can read an ES module without a flag, and the smallest to fetch. */
const OLD_NODE = `node-${process.platform}-${process.arch}@12.20.0`;

let place = "";
let tarball = "";
let unpackedBytes = 0;

const run = promisify(execFile);
const inPlace = (folder: string, program: string, ...args: string[]) =>
  run(program, args, { cwd: join(place, folder) });

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "tidegate-package-"));
  const packed = await pack(place);
  tarball = join(place, packed.filename);
  unpackedBytes = packed.unpackedBytes;
  for (const [folder, ...packages] of [
    ["alone", tarball],
    ["checkers", ...CHECKERS],
    ["old", OLD_NODE],
  ] as const) {
    await mkdir(join(place, folder));
    await writeFile(join(place, folder, "package.json"), '{ "type": "module", "private": true }');
    await inPlace(folder, "npm", "install", "--prefer-offline", ...packages);
  }
}, LIMIT_MS);

afterAll(() => rm(place, { recursive: true, force: true }));

test("it is small", () => {
  process.stderr.write(`unpacked size: ${unpackedBytes} bytes\n`);
  expect(unpackedBytes).toBeLessThan(4_000_000);
});

test(
  "publint has nothing to say of it",
  async () => {
    const { stdout } = await inPlace("checkers", "npx", "publint", "run", "--strict", tarball);
    expect(stdout).toContain("All good!");
  },
  LIMIT_MS,
);

test(
  "arethetypeswrong has nothing to say of it, as a package of ES modules",
  async () => {
    const options = ["--profile", "esm-only", "--format", "json"];
    const { stdout } = await inPlace("checkers", "npx", "attw", ...options, tarball);
    const { analysis } = JSON.parse(stdout) as { analysis: { entrypoints: object } };
    expect(Object.keys(analysis.entrypoints)).toEqual([
      ".",
      "./crd",
      "./cdk",
      "./testing",
      "./package.json",
    ]);
  },
  LIMIT_MS,
);

test("it brings neither zod nor esbuild, and needs them for definitions of kinds alone", async () => {
  const installed = await readdir(join(place, "alone/node_modules"));
  expect(
    installed.filter((name) => /^(zod|esbuild|typescript|jest|aws-cdk-lib)$/.test(name)),
  ).toEqual([]);
  const program = `
    const { defineController } = await import("tidegate");
    const { VirtualClock } = await import("tidegate/testing");
    const { code } = await import("tidegate/crd").catch((error) => error);
    console.log(typeof defineController, typeof VirtualClock, code);`;
  const { stdout } = await inPlace("alone", process.execPath, "--input-type=module", "-e", program);
  expect(stdout).toBe("function function ERR_MODULE_NOT_FOUND\n");
});

test("its command runs without them", async () => {
  const command = "node_modules/tidegate/dist/cli/tidegate.js";
  const { stdout } = await inPlace(
    "alone",
    process.execPath,
    command,
    "init",
    "--domain",
    "example.com",
  );
  expect(stdout).toContain("package.json");
  expect((await stat(join(place, "alone/tsconfig.json"))).isFile()).toBe(true);
});

test("an old Node is told in one line which one it needs", async () => {
  const [name = ""] = OLD_NODE.split("@");
  const old = join(place, "old/node_modules", name, "bin/node");
  const command = "node_modules/tidegate/dist/cli/tidegate.js";
  await expect(inPlace("alone", old, command, "dev")).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: "tidegate: cannot run: expected Node 24 or newer, got 12.20.0; install Node 24\n",
  });
});
