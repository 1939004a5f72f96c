import { delimiter, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { devOptionsOf } from "../../local/dev-options.ts";

test("takes the kubeconfig from the command line, then from the environment, then from the home folder", () => {
  const kubeconfigOf = (args: string[], env: NodeJS.ProcessEnv) => {
    const options = devOptionsOf(args, env);
    return options === "help" ? options : options.kubeconfig;
  };
  expect(kubeconfigOf(["--kubeconfig", "a"], { KUBECONFIG: "/b" })).toBe(resolve("a"));
  expect(kubeconfigOf([], { KUBECONFIG: "/b" })).toBe("/b");
  expect(kubeconfigOf([], {})).toMatch(/\/\.kube\/config$/);
  expect(kubeconfigOf([], { KUBECONFIG: "" })).toMatch(/\/\.kube\/config$/);
  const list = ["/b", "c"].join(delimiter);
  expect(kubeconfigOf([], { KUBECONFIG: list })).toBe(["/b", resolve("c")].join(delimiter));
});

test("answers help", () => {
  expect(devOptionsOf(["--help"], {})).toBe("help");
});

test.each([
  [["--kubecfg", "a"], /cannot read the command line: .*--kubecfg.*see --help/],
  [["--port", "0"], /cannot read --port: expected a number from 1 to 65533, got "0"/],
  [["--port", "x"], /got "x"/],
  [["--cluster", "a/b"], /cannot read --cluster/],
  [["extra"], /cannot read the command line/],
])("rejects %j", (args, text) => {
  expect(() => devOptionsOf(args, {})).toThrow(text);
});
