import { expect, test } from "@jest/globals";
import { yamlBodyOf } from "../../local/kube/yaml-body.ts";
import { manifestsOf } from "../../shared/testing/manifests.ts";
import { MANIFEST, SPEC, WORDS } from "./kube-yaml-words.ts";

test.each(WORDS)("B45: the plain word %s is %p in YAML, as to kubectl", (word, value) => {
  expect(yamlBodyOf(`- ${word}`).value).toEqual([value]);
});

test("B45: a body in YAML and a manifest of a test are read alike", () => {
  expect(yamlBodyOf(MANIFEST).value).toMatchObject({ spec: SPEC });
  expect(manifestsOf(MANIFEST)).toMatchObject([{ spec: SPEC }]);
});
