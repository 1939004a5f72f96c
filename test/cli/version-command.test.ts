import { expect, test } from "@jest/globals";
import { runCli } from "./run-cli.ts";

test("answers with text, or with JSON for programs", async () => {
  const text = await runCli(["version"]);
  const [, version] = /^tidegate (\d+\.\d+\.\d+), Node \d+\.\d+\.\d+\n$/.exec(text.out) ?? [];
  const json = await runCli(["version", "-o", "json"]);
  expect(JSON.parse(json.out)).toEqual({ tidegate: version, node: process.versions.node });
});

test("refuses a format that it does not know", async () => {
  const { code, err } = await runCli(["version", "--output", "yaml"]);
  expect(code).toBe(2);
  expect(err).toMatch(/argument 'yaml' is invalid\. Allowed choices are text, json/);
});
