import { expect, test } from "@jest/globals";
import { createTerminal } from "../../local/terminal.ts";

async function printed(line: string, verbose = false): Promise<string> {
  let text = "";
  const out = { write: (part: string) => (text += part) };
  createTerminal({ out, verbose, noColor: true }).print("website", line);
  await Promise.resolve(); // The end of the turn.
  return text;
}

const entry = (level: string) =>
  JSON.stringify({ time: "2026-01-01T10:20:30.456Z", level, message: "run ended", name: "a b" });

test("shows a log line of a program as one short line that names the program", async () => {
  expect(await printed(entry("info"))).toBe(
    '10:20:30.456 info  run ended name="a b" from=website\n',
  );
});

test("shows debug lines and metrics only where everything was asked for", async () => {
  const metrics = '{"_aws":{},"ReconcileTotal":1}';
  expect([await printed(entry("debug")), await printed(metrics)]).toEqual(["", ""]);
  expect(await printed(entry("debug"), true)).toContain("run ended");
  expect(await printed(metrics, true)).toBe(`website: ${metrics}\n`);
});

test.each([
  "plain text",
  '{"half":',
  '{"message":1}',
  '{"level":"info","message":"no time"}',
  '{"level":"error","message":"not a time","time":{}}',
])("shows other lines as they are: %s", async (line) => {
  expect(await printed(line)).toBe(`website: ${line}\n`);
});

test("shows a line as it is whose error has more causes than can be walked", async () => {
  const above = '{"message":"m","stack":"s","cause":'.repeat(20_000);
  const error = `${above}1${"}".repeat(20_000)}`;
  const line = `${entry("error").slice(0, -1)},"error":${error}}`;
  expect((await printed(line)) === `website: ${line}\n`).toBe(true);
});

test("shows an error by its messages and the place in the user's code; its stack only if asked", async () => {
  const stack = [
    "Error: no zone",
    "    at transport (file:///app/node_modules/tidegate/dist/shared/kube/transport.js:9:1)",
    "    at async Object.reconcile (file:///app/functions/website/reconciler.ts:10:44)",
    "    at async runObject (file:///app/node_modules/tidegate/dist/shared/worker/run.js:2:22)",
  ].join("\n");
  const cause = { name: "Error", message: "no answer", stack: "Error: no answer" };
  const error = { name: "Error", message: "no zone", stack, cause };
  const line = JSON.stringify({ ...JSON.parse(entry("error")), error });
  const short =
    '10:20:30.456 error run ended name="a b" error="no zone: no answer"' +
    " at=/app/functions/website/reconciler.ts:10 from=website\n";
  expect(await printed(line)).toBe(short);
  expect(await printed(line, true)).toContain(stack);
});

test("writes the lines of one turn together, in their order, and those of the next one after", async () => {
  const writes: string[] = [];
  const out = { write: (text: string) => writes.push(text) };
  const terminal = createTerminal({ out, verbose: false, noColor: true });
  terminal.say("one");
  terminal.print("website", "two");
  await Promise.resolve();
  terminal.say("three");
  await Promise.resolve();
  expect(writes).toEqual(["one\nwebsite: two\n", "three\n"]);
});
