import { expect, test } from "@jest/globals";
import { createMask } from "./mask.ts";

const ONE = "0b8f7f0e-1111-4222-8333-444455556666";
const TWO = "0a8f7f0e-1111-4222-8333-444455556666";

test("uids and versions are numbered by first sight, whatever the order of fields", () => {
  const seen = createMask("ns-1").value([
    { metadata: { uid: ONE, resourceVersion: "70" } },
    { metadata: { resourceVersion: "71", uid: ONE, ownerReferences: [{ uid: TWO }] } },
    { metadata: { resourceVersion: "70" } },
  ]);

  expect(seen).toEqual([
    { metadata: { uid: "<uid 1>", resourceVersion: "<version 1>" } },
    {
      metadata: {
        resourceVersion: "<version 2>",
        uid: "<uid 1>",
        ownerReferences: [{ uid: "<uid 2>" }],
      },
    },
    { metadata: { resourceVersion: "<version 1>" } },
  ]);
});

test("a list's own version has no number", () => {
  const list = {
    metadata: { resourceVersion: "80" },
    items: [{ metadata: { resourceVersion: "9" } }],
  };

  expect(createMask("ns-1").value(list)).toEqual({
    metadata: { resourceVersion: "<version>" },
    items: [{ metadata: { resourceVersion: "<version 1>" } }],
  });
});

test("times of the test run are masked, those that a scenario sends are seen", () => {
  const { text } = createMask("ns-1");

  expect(text("2026-11-30T18:00:00Z 2026-11-30T18:00:00.123456Z 2020-01-01T00:00:00Z")).toBe(
    "<time> <microtime> 2020-01-01T00:00:00Z",
  );
});

test("the namespace and a name that the server made are masked in paths, too", () => {
  const mask = createMask("ns-1");
  const made = mask.value({ metadata: { name: "made-x7k2p", generateName: "made-" } });

  expect(made).toEqual({ metadata: { name: "made-<suffix>", generateName: "made-" } });
  expect(mask.text("GET /namespaces/ns-1/pods/made-x7k2p?continue=abc")).toBe(
    "GET /namespaces/{ns}/pods/made-<suffix>?continue=<continue>",
  );
});

test("a uid in a refusal is the one of the object", () => {
  const mask = createMask("ns-1");
  mask.value({ metadata: { uid: ONE, resourceVersion: "70" } });

  expect(mask.text(`${TWO} is not ${ONE}; the ResourceVersion in record (70)`)).toBe(
    "<uid 2> is not <uid 1>; the ResourceVersion in record (<version 1>)",
  );
});
