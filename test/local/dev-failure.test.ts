import { EventEmitter } from "node:events";
import { writeFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { startFailure, uncaughtFailure } from "../../local/dev-failure.ts";

test("an error of the embedded DynamoDB's files says what to do, in one line", async () => {
  const program = new EventEmitter();
  const failed = uncaughtFailure(program, "/data");
  const error = new Error("Database is closed");
  error.stack = "Error: Database is closed\n    at /x/node_modules/dynalite/db/index.js:265:17";
  program.emit("uncaughtException", error);
  await expect(failed).rejects.toThrow(
    /^cannot keep the table in \/data: expected .*, got "Database is closed"; .* --fresh .*$/,
  );
});

test("so does one that comes without a stack, as of a disk that is full", async () => {
  const program = new EventEmitter();
  const failed = uncaughtFailure(program, "/data");
  const error = new Error("IO error: /data/dynamodb/000003.log: No space left on device");
  error.stack = `Error: ${error.message}`;
  program.emit("uncaughtException", error);
  await expect(failed).rejects.toThrow(/got "IO error: .* left on device"; make sure that/);
});

test("any other error that nobody handles keeps its stack, and later ones change nothing", async () => {
  const program = new EventEmitter();
  const failed = uncaughtFailure(program, "/data");
  program.emit("uncaughtException", new Error("a fault of ours"));
  program.emit("uncaughtException", "later");
  await expect(failed).rejects.toThrow(/a fault of ours(.|\n)*dev-failure\.test\.ts/);
});

test("an error of the file system at the start names the folder and says what to do", async () => {
  const error = await writeFile("/dev/null/a", "").catch((failure: unknown) => failure);
  expect(startFailure(error, "/data")).toEqual(
    new Error(
      "cannot keep state in /data: expected a folder that can be written, got ENOTDIR; make it one, or choose another with --data",
    ),
  );
  const full = Object.assign(new Error("no space"), { code: "ENOSPC", syscall: "write" });
  expect(startFailure(full, "/data")).toMatchObject({
    message: expect.stringMatching(/got ENOSPC; make space, or/),
  });
});

test.each([
  new Error("cannot serve the queue: port 7370 is in use; choose another"),
  Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED", syscall: "connect" }),
  "text",
])("an error of the start that is about something else stays as it is: %p", (error) => {
  expect(startFailure(error, "/data")).toBe(error);
});
