import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { readFunctionFolders } from "../../local/function-folder.ts";

let dir = "";

beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), "tidegate-")), "a b'&ü");
  await mkdir(dir);
});
afterEach(() => rm(join(dir, ".."), { recursive: true }));

const definition = (name: string) =>
  `export const it = { name: "${name}", for: {}, maxConcurrentReconciles: 10, timeoutSeconds: 30, resyncSeconds: 60 };`;

async function write(file: string, text: string): Promise<void> {
  await mkdir(join(dir, file, ".."), { recursive: true });
  await writeFile(join(dir, file), text);
}

test("reads definition and local environment of each folder, in a path with odd characters", async () => {
  await write("web/controller.ts", definition("web"));
  await write("web/handler.ts", "");
  await write("web/local.env", "ZONE=example.com\n");
  await write("notes/readme.txt", "");
  expect(await readFunctionFolders(dir)).toEqual([
    {
      name: "web",
      dir: join(dir, "web"),
      controllerFile: join(dir, "web/controller.ts"),
      handlerFile: join(dir, "web/handler.ts"),
      timeoutSeconds: 30,
      mapping: {
        batchSize: 5,
        maximumConcurrency: 2,
        visibilityTimeoutSeconds: 180,
        maxReceiveCount: 50,
      },
      env: { ZONE: "example.com" },
    },
  ]);
});

test("rejects a folder without controllers, naming the option", async () => {
  await expect(readFunctionFolders(dir)).rejects.toThrow("name another with --functions");
});

test("rejects a definition that does not load, naming the file and the error", async () => {
  await write("web/controller.ts", 'throw new Error("broken");');
  await write("web/handler.ts", "");
  await expect(readFunctionFolders(dir)).rejects.toThrow(
    `cannot load ${join(dir, "web/controller.ts")}: broken`,
  );
});

test("rejects a folder without a handler", async () => {
  await write("web/controller.ts", definition("web"));
  await expect(readFunctionFolders(dir)).rejects.toThrow('which exports "handler"');
});

test("rejects two controllers of one name", async () => {
  for (const folder of ["one", "two"]) {
    await write(`${folder}/controller.ts`, definition("same"));
    await write(`${folder}/handler.ts`, "");
  }
  await expect(readFunctionFolders(dir)).rejects.toThrow("two controllers named same");
});
