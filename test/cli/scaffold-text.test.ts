import { expect, test } from "@jest/globals";
import { text } from "../../cli/scaffold-text.ts";

test("what all lines are indented by goes, the rest stays", () => {
  const made = text`
    first
      second ${"value"} goes on

    third
  `;
  expect(made).toBe("first\n  second value goes on\n\nthird\n");
});

test("a value is put in as it is, at the beginning of a line, too", () => {
  const made = text`
      ${"a {\n    b\n}"}
      last
  `;
  expect(made).toBe("a {\n    b\n}\nlast\n");
});
