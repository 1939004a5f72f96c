import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { CLUSTER, PRIVATE_CLUSTER } from "../cdk/eks-clusters.ts";
import { runApp } from "../cdk/run-app.ts";

import { installPythonPackage } from "./python-package.ts";
import { INSTALL_LIMIT_MS } from "./server-install.ts";

const CFN_LINT = { name: "cfn-lint", version: "1.58.0" };
const PROGRAM = ["-c", "from cfnlint.runner import main; main()"];
// Advice counts, too. W3005: the CDK has a function wait for its role in words, beside the reference.
const OPTIONS = ["--include-checks", "I", "--ignore-checks", "W3005", "--regions", "eu-central-1"];
const run = promisify(execFile);

let out = "";

beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), "tidegate-cfn-"));
  await runApp(out, [{ name: "asked" }, CLUSTER, PRIVATE_CLUSTER]);
}, 60_000);
afterAll(() => rm(out, { recursive: true, force: true }));

test(
  "cfn-lint finds nothing in the template of clusters that are public, private and asked for",
  async () => {
    if (!(await hasPython())) {
      process.stderr.write("there is no python3: cfn-lint is left out\n");
      return;
    }
    const python = await installPythonPackage(CFN_LINT);
    const template = join(out, "Tidegate.template.json");
    const said = await run(python, [...PROGRAM, ...OPTIONS, "--", template]).catch(
      (error: unknown) => error,
    );
    expect(said).toEqual({ stdout: "", stderr: "" });
  },
  INSTALL_LIMIT_MS,
);

async function hasPython(): Promise<boolean> {
  return run("python3", ["--version"]).then(
    () => true,
    () => false,
  );
}
