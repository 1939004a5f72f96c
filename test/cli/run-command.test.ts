import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { runCommand } from "../../cli/run-command.ts";
import type { DevOptions } from "../../local/dev-options.ts";
import { systemClock } from "../../shared/clock.ts";
import { type ClusterStage, clusterStage } from "./cluster-stage.ts";
import { definitionFile } from "./definition-file.ts";
import { runCli } from "./run-cli.ts";

let stage: ClusterStage;
beforeAll(async () => {
  stage = await clusterStage();
  await stage.project.write("functions/cat/resource.ts", definitionFile({ kind: "Cat" }));
});
afterAll(() => stage.close());

let said: string[] = [];
beforeEach(() => {
  said = [];
});

/** What would be started. */
async function started(...args: readonly string[]): Promise<DevOptions | undefined> {
  let given: DevOptions | undefined;
  const err = { write: (text: string) => said.push(text) };
  const context = {
    cwd: stage.project.dir,
    env: { KUBECONFIG: "kubeconfig" },
    out: err,
    err,
    clock: systemClock,
    newId: () => "id",
    stopping: new AbortController().signal,
  };
  const functions = ["--functions", join(stage.project.dir, "functions")];
  const start = async (options: DevOptions) => {
    given = options;
    return 0;
  };
  await runCommand(context, () => {}, start).parseAsync([...args, ...functions], { from: "user" });
  return given;
}

test("takes the cluster that kubectl would, tells which, and names the definitions that it lacks", async () => {
  const options = await started();
  expect(options).toMatchObject({
    kubeconfig: join(stage.project.dir, "kubeconfig"),
    context: "tidegate",
    cluster: "tidegate",
    fresh: false,
  });
  expect(options).not.toHaveProperty("account");
  expect(said).toEqual([
    expect.stringMatching(/^tidegate: running against tidegate \(https:/),
    expect.stringMatching(
      /^tidegate: warning: tidegate \(.*\) lacks cats.example.com: .*"tidegate install"/,
    ),
  ]);
});

test("says nothing of definitions that are installed", async () => {
  await stage.run(["install"]);
  await started("--cluster", "mine");
  expect(said).toEqual([expect.stringMatching(/^tidegate: running against/)]);
  await stage.run(["uninstall", "--yes"]);
});

test.each([
  [["--region", "eu-west-1"], /cannot use --region: expected --table NAME beside it/],
  [["--table", "t"], /cannot use --table: expected --cluster NAME beside it/],
  [["--table", "t", "--cluster", "c", "--fresh"], /cannot use --fresh with --table/],
  [["--port", "0"], /cannot read --port/],
  [["--cluster", "a/b"], /cannot read --cluster/],
])("refuses the command line run %j before anything starts", async (args, text) => {
  const { code, out, err } = await runCli(["run", ...args]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(text);
});

test("a kubeconfig that is not there is told before anything starts", async () => {
  const { code, err } = await runCli(["run"], { env: { KUBECONFIG: "none" } });
  expect(code).toBe(1);
  expect(err).toMatch(/^tidegate: cannot read kubeconfig .*none: ENOENT/);
});
