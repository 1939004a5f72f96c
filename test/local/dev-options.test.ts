import { resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { devOptionsOf } from "../../local/dev-options.ts";

test("takes the embedded cluster unless a kubeconfig is named", () => {
  expect(devOptionsOf([])).not.toHaveProperty("kubeconfig");
  const paths = `${resolve("a")}:${resolve("b")}`;
  expect(devOptionsOf(["--kubeconfig", "a:b"])).toMatchObject({ kubeconfig: paths });
});

test("answers help", () => {
  expect(devOptionsOf(["--help"])).toBe("help");
});

test.each([
  [["--kubecfg", "a"], /cannot read the command line: .*--kubecfg.*see .*--help/],
  [["--port", "0"], /cannot read --port: expected a number from 1 to 65532, got "0"/],
  [["--port", "x"], /got "x"/],
  [["--cluster", "a/b"], /cannot read --cluster/],
  [["--context", "a"], /cannot use --context: expected --kubeconfig FILE beside it/],
  [["extra"], /cannot read the command line/],
])("rejects %j", (args, text) => {
  expect(() => devOptionsOf(args)).toThrow(text);
});
