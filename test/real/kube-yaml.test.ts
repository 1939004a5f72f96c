import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { MANIFEST, SPEC } from "../local/kube-yaml-words.ts";
import { kubeBinaries } from "./kube-binaries.ts";
import { kubectl } from "./kubectl.ts";

let dir = "";

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "tidegate-yaml-"));
});
afterEach(() => rm(dir, { recursive: true }));

test("kubectl makes of the words of YAML what we do", async () => {
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  const { kubectl: kubectlPath } = await kubeBinaries({ env: process.env, progress });
  const file = join(dir, "words.yaml");
  await writeFile(file, MANIFEST);
  const kube = { kubectlPath, kubeconfigPath: join(dir, "none") };
  await writeFile(kube.kubeconfigPath, "");
  const printed = await kubectl(kube, "label", "--local", "-f", file, "a=b", "-o", "json");
  expect(JSON.parse(printed)).toMatchObject({ spec: SPEC });
}, 60_000);
