import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { installPythonPackage } from "./python-package.ts";
import { installServer } from "./server-install.ts";

const PACKAGE = { name: "moto", version: "5.2.5" };
const LIMIT_MS = 60_000;

let cache = "";
let told: string[] = [];

beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), "tidegate-install-"));
  told = [];
});

afterEach(async () => {
  await rm(cache, { recursive: true, force: true });
});

const options = (env: NodeJS.ProcessEnv = {}) => ({
  env: { ...process.env, ...env, XDG_CACHE_HOME: cache },
  progress: (line: string) => {
    told.push(line);
  },
});

const left = (name: string) => readdir(join(cache, "tidegate", name));

test("a server is installed once, into a folder that is there when it is complete", async () => {
  const fills: string[] = [];
  const install = () =>
    installServer({ name: "some", version: "1.0", ...options() }, async (unfinished) => {
      fills.push(unfinished);
      await writeFile(join(unfinished, "program"), "text");
    });
  const folder = await install();
  expect(await install()).toBe(folder);
  expect(await readFile(join(folder, "program"), "utf8")).toBe("text");
  expect(fills).toHaveLength(1);
  expect(fills).not.toEqual([folder]);
  expect(await left("some")).toEqual(["1.0"]);
  expect(told).toHaveLength(1);
});

test("two installations at once are one", async () => {
  let fills = 0;
  const install = () =>
    installServer({ name: "some", version: "1.0", ...options() }, async () => {
      fills += 1;
    });
  await Promise.all([install(), install()]);
  expect(fills).toBe(1);
});

test("fails in one line without python3, and leaves nothing", async () => {
  const installing = installPythonPackage({ ...PACKAGE, ...options({ PATH: cache }) });
  await expect(installing).rejects.toThrow(
    /^cannot install moto 5\.2\.5: expected python3 with venv; install Python; got .*ENOENT$/,
  );
  expect(await left("moto")).toEqual([]);
});

test(
  "fails in one line where the package index does not answer, and leaves nothing",
  async () => {
    const env = { PIP_INDEX_URL: "http://127.0.0.1:9/", PIP_RETRIES: "1" };
    const installing = installPythonPackage({ ...PACKAGE, ...options(env) });
    await expect(installing).rejects.toThrow(
      /^cannot install moto 5\.2\.5: expected the Python package index to answer; .*refused.*$/,
    );
    expect(await left("moto")).toEqual([]);
  },
  LIMIT_MS,
);

test(
  "an installation that was killed counts for nothing, and the next one removes what it left",
  async () => {
    const killed = installing();
    await once(killed.stdout as NonNullable<ChildProcess["stdout"]>, "data");
    killed.kill("SIGKILL");
    await once(killed, "exit");
    expect(await left("some")).toEqual([expect.stringMatching(/^\.1\.0-/), "1.0.lock"]);

    await installServer({ name: "some", version: "1.0", ...options() }, async () => {});
    expect(await left("some")).toEqual(["1.0"]);
  },
  LIMIT_MS,
);

/** A process that installs a server and never gets ready. */
function installing(): ChildProcess {
  const module = JSON.stringify(join(import.meta.dirname, "server-install.ts"));
  const code = `
    import { installServer } from ${module};
    await installServer({ name: "some", version: "1.0" }, async () => {
      process.stdout.write("half");
      await new Promise((resolve) => setTimeout(resolve, ${LIMIT_MS}));
    });`;
  return spawn(process.execPath, ["--input-type=module", "--eval", code], {
    env: options().env,
    stdio: ["ignore", "pipe", "ignore"],
  });
}
