import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { defineKind } from "tidegate";
import { defineCrd } from "tidegate/crd";
import * as z from "zod";
import { nextSteps } from "../../local/next-steps.ts";
import type { ResourceFile } from "../../local/read-definitions.ts";

let cwd = "";

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "tidegate-steps-"));
});
afterEach(() => rm(cwd, { recursive: true }));

test("names the sample and the kind that are there, and watches the one kind", async () => {
  await write("functions/plain/sample.yaml", "");
  await write("functions/topic/sample.yaml", "");
  const definitions = [defining("functions/plain"), defining("functions/topic", "topics")];
  expect(commands(definitions)).toEqual([
    "export KUBECONFIG=.tidegate/kubeconfig",
    "kubectl apply -f functions/topic/sample.yaml",
    "kubectl get topics --watch",
  ]);
});

test("several kinds are listed, for kubectl watches one alone", () => {
  const definitions = [
    defining("functions/a", "topics", "queues"),
    defining("functions/b", "users"),
  ];
  expect(commands(definitions)).toEqual([
    "export KUBECONFIG=.tidegate/kubeconfig",
    "kubectl get topics,queues,users",
  ]);
});

test("a kind whose plural is that of a built-in one, or of another, is named with its group", () => {
  const definitions = [
    defining("functions/a", "cronjobs", "topics", "users"),
    defining("functions/b", "users"),
  ];
  expect(commands(definitions)).toContain(
    "kubectl get cronjobs.example.com,topics,users.example.com,users.example.com",
  );
});

test("without a kind of its own a project is shown what there is", () => {
  expect(commands([])).toContain("kubectl get all");
});

test("paths come through a shell as they are", async () => {
  await write("it's mine/a/sample.yaml", "");
  expect(commands([defining("it's mine/a", "topics")])).toContain(
    "kubectl apply -f 'it'\\''s mine/a/sample.yaml'",
  );
});

function commands(definitions: readonly ResourceFile[]): readonly string[] {
  const kubeconfigFile = join(cwd, ".tidegate/kubeconfig");
  const text = nextSteps({ kubeconfigFile, definitions, cwd });
  return text.split("\n").flatMap((line) => /^ {4}(.*)$/.exec(line)?.[1] ?? []);
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(join(cwd, path, ".."), { recursive: true });
  await writeFile(join(cwd, path), text);
}

function defining(folder: string, ...plurals: string[]): ResourceFile {
  const crds = plurals.map((plural) =>
    defineCrd(
      defineKind({ apiVersion: "example.com/v1", kind: "Any", plural, scope: "Namespaced" }),
      { spec: () => z.object({}) },
    ),
  );
  return { file: join(cwd, folder, "resource.ts"), crds };
}
