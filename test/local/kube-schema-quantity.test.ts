import { expect, test } from "@jest/globals";
import * as fc from "fast-check";
import { compareQuantities, normalQuantity, parseQuantity } from "../../local/kube/quantity.ts";

// As kube-apiserver 1.37 stores the limits of containers.
test.each([
  ["0.5", "500m"],
  ["1.5Gi", "1536Mi"],
  ["1024Ki", "1Mi"],
  ["1000Ki", "1000Ki"],
  ["1e3", "1e3"],
  ["12E6", "12e6"],
  ["1000m", "1"],
  ["0.5Ki", "512"],
  ["1000000", "1M"],
  ["-1.5k", "-1500"],
  ["0.0001", "100u"],
  ["0", "0"],
  ["0.0", "0"],
  ["+5", "5"],
  [".5", "500m"],
  [2, "2"],
])("%s is written as %s", (text, written) => {
  expect(normalQuantity(text)).toBe(written);
});

test.each(["", "x", "1i", "Ki", "1 Gi", "1.2.3", "--1", "1e", "1kk"])(
  "%j is no quantity",
  (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  },
);

test("what is written means the same, and is written alike again", () => {
  const suffix = fc.constantFrom("", "m", "k", "M", "G", "Ki", "Mi", "Gi", "e3", "u");
  const number = fc.tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.nat(999));
  fc.assert(
    fc.property(number, suffix, ([whole, fraction], end) => {
      const text = `${whole}.${fraction}${end}`;
      const before = parseQuantity(text);
      const written = normalQuantity(text) ?? "";
      const after = parseQuantity(written);
      expect(before && after && compareQuantities(before, after)).toBe(0);
      expect(normalQuantity(written)).toBe(written);
    }),
  );
});
