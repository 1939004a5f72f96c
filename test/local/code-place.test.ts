import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { codePlaceOf } from "../../local/code-place.ts";

const ours = join(import.meta.dirname, "../../shared/worker/run-object.ts");

test("names the innermost frame of the user's code", () => {
  const stack = [
    "Error: no",
    `    at reconcileObject (file://${ours}:93:37)`,
    "    at send (/app/node_modules/sdk/index.js:1:1)",
    "    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)",
    "    at Object.reconcile (file:///app/functions/a/reconciler.ts:12:36)",
    "    at async file:///app/functions/a/handler.ts:5:1",
  ];
  expect(codePlaceOf(stack.join("\n"))).toBe("/app/functions/a/reconciler.ts:12");
});

test.each(["", "file://"])("names the line that Node could not read: %j", (scheme) => {
  const stack = `${scheme}/app/functions/a/reconciler.ts:2\nexport const x = {{;\n\nSyntaxError: no\n    at parse (node:internal:72:36)`;
  expect(codePlaceOf(stack)).toBe("/app/functions/a/reconciler.ts:2");
});

test("names nothing where the user's code is not in the stack", () => {
  expect(codePlaceOf(`Error: no\n    at a (file://${ours}:1:1)`)).toBeUndefined();
});
