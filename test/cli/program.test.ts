import { expect, test } from "@jest/globals";
import { runCli } from "./run-cli.ts";

test.each([[[]], [["--help"]], [["help"]]])("%j shows all commands", async (args) => {
  const { code, out, err } = await runCli(args);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^Usage: tidegate COMMAND \[OPTIONS\]/);
  expect(out).toMatch(/^ {2}dev .*runs watcher/m);
});

test.each([[["dev", "--help"]], [["help", "dev"]]])("%j shows examples", async (args) => {
  const { code, out } = await runCli(args);
  expect(code).toBe(0);
  expect(out).toMatch(/^Usage: tidegate dev \[OPTIONS\]/);
  expect(out).toContain("Examples:\n  tidegate dev\n");
});

test("a command that does not exist is answered with the one that was meant", async () => {
  const { code, out, err } = await runCli(["dve"]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toBe(
    "tidegate: cannot read the command line: unknown command 'dve' (Did you mean dev?); see --help\n",
  );
});
