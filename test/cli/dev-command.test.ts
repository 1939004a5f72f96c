import { expect, test } from "@jest/globals";
import { runCli } from "./run-cli.ts";

test.each([
  [
    ["--kubecfg", "a"],
    /cannot read the command line: unknown option '--kubecfg'.*--kubeconfig.*see --help/,
  ],
  [["extra"], /cannot read the command line: too many arguments/],
  [["--port", "0"], /cannot read --port: expected a number from 1 to 65532, got "0"/],
  [["--aws-endpoint="], /cannot read --aws-endpoint: expected a value, got ""; see --help/],
])("refuses the command line dev %j before anything starts", async (args, text) => {
  const { code, out, err } = await runCli(["dev", ...args]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(text);
  expect(err.trimEnd().split("\n")).toHaveLength(1);
});
