import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { nextSteps } from "../../local/next-steps.ts";

let cwd = "";

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "tidegate-steps-"));
});
afterEach(() => rm(cwd, { recursive: true }));

test("names the sample and the kind that are there, and watches the one kind", async () => {
  await write("functions/plain/sample.yaml", "");
  await write("functions/topic/crd.yaml", definition("topics"));
  await write("functions/topic/sample.yaml", "");
  expect(await commands("functions")).toEqual([
    "export KUBECONFIG=.tidegate/kubeconfig",
    "kubectl apply -f functions/topic/sample.yaml",
    "kubectl get topics --watch",
  ]);
});

test("several kinds are listed, for kubectl watches one alone", async () => {
  await write("functions/a/crd.yaml", `${definition("topics")}---\n${definition("queues")}`);
  await write("functions/b/crd.yaml", definition("users"));
  expect(await commands("functions")).toEqual([
    "export KUBECONFIG=.tidegate/kubeconfig",
    "kubectl get topics,queues,users",
  ]);
});

test("without a kind of its own a project is shown what there is", async () => {
  expect(await commands("functions")).toContain("kubectl get all");
});

test("paths come through a shell as they are", async () => {
  await write("it's mine/a/crd.yaml", definition("topics"));
  await write("it's mine/a/sample.yaml", "");
  expect(await commands("it's mine")).toContain("kubectl apply -f 'it'\\''s mine/a/sample.yaml'");
});

async function commands(functions: string): Promise<readonly string[]> {
  const kubeconfigFile = join(cwd, ".tidegate/kubeconfig");
  const text = await nextSteps({ kubeconfigFile, functionsDir: join(cwd, functions), cwd });
  return text.split("\n").flatMap((line) => /^ {4}(.*)$/.exec(line)?.[1] ?? []);
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(join(cwd, path, ".."), { recursive: true });
  await writeFile(join(cwd, path), text);
}

function definition(plural: string): string {
  return `kind: CustomResourceDefinition\nspec: { names: { plural: ${plural} } }\n`;
}
