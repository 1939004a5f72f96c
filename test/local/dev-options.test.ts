import { resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { devOptionsOf } from "../../local/dev-options.ts";

test("takes the embedded cluster unless a kubeconfig is named", () => {
  expect(devOptionsOf({})).not.toHaveProperty("kubeconfig");
  const paths = `${resolve("a")}:${resolve("b")}`;
  expect(devOptionsOf({ kubeconfig: "a:b" })).toMatchObject({ kubeconfig: paths });
});

test("takes the embedded queue and table unless an endpoint is named", () => {
  expect(devOptionsOf({})).not.toHaveProperty("awsEndpoint");
  const awsEndpoint = "http://127.0.0.1:5000";
  expect(devOptionsOf({ awsEndpoint: `${awsEndpoint}/` })).toMatchObject({ awsEndpoint });
});

test.each([
  [{ port: "0" }, /cannot read --port: expected a number from 1 to 65532, got "0"/],
  [{ port: "x" }, /got "x"/],
  [{ cluster: "a/b" }, /cannot read --cluster/],
  [{ context: "a" }, /cannot use --context: expected --kubeconfig FILE beside it/],
  [{ awsEndpoint: "x" }, /cannot read --aws-endpoint: expected a URL like .*, got "x"/],
  [{ awsEndpoint: "ftp://a" }, /cannot read --aws-endpoint/],
  [{ awsEndpoint: "http://a/b" }, /cannot read --aws-endpoint/],
  [{ fresh: true, awsEndpoint: "http://a" }, /cannot use --fresh with --aws-endpoint: .*--cluster/],
  [{ fresh: true, data: "" }, /cannot read --data: expected a value, got ""; see --help/],
  [{ functions: "" }, /cannot read --functions: expected a value/],
  [{ kubeconfig: "" }, /cannot read --kubeconfig: expected a value/],
])("rejects %j", (values, text) => {
  expect(() => devOptionsOf(values)).toThrow(text);
});
