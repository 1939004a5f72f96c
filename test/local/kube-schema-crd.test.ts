import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { checkStructural } from "../../local/kube/crd-schema.ts";
import { faultyRoots, faultySpecs } from "./kube-schema-faults.ts";

const answers = JSON.parse(
  readFileSync(join(import.meta.dirname, "kube-schema-fault-answers.json"), "utf8"),
) as readonly (readonly object[])[];

const roots = [
  ...faultySpecs.map((spec) => ({ type: "object", properties: { spec } })),
  ...faultyRoots,
];

/** The real server goes through properties in random order. */
function sorted(faults: readonly object[]): readonly object[] {
  const text = (fault: object) => JSON.stringify(fault, ["field", "message"]);
  return faults.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
}

test.each(roots.map((root, index) => [JSON.stringify(root), index] as const))(
  "a definition with %s has the faults that kube-apiserver finds",
  (_, index) => {
    const faults = checkStructural((roots[index] ?? {}) as object);
    expect(sorted(faults)).toEqual(sorted(answers[index] ?? []));
  },
);
