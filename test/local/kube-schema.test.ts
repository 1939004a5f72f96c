import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { Schema } from "../../local/kube/schema.ts";
import { withDefaults, withoutNulls } from "../../local/kube/schema-defaults.ts";
import { prune, unknownFields } from "../../local/kube/schema-prune.ts";
import { validateValue } from "../../local/kube/schema-validate.ts";
import { specSchema, specs } from "./kube-schema-cases.ts";

interface Answer {
  readonly spec?: unknown;
  readonly causes?: readonly { readonly field: string; readonly message: string }[];
  readonly unknown?: readonly string[];
}

const answers = JSON.parse(
  readFileSync(join(import.meta.dirname, "kube-schema-answers.json"), "utf8"),
) as readonly Answer[];

const schema: Schema = { type: "object", properties: { spec: specSchema } };

/** What an API server does with a custom resource that is created. */
function answerTo(spec: unknown): Answer {
  const sent = { apiVersion: "schema.example.com/v1", kind: "Case", spec };
  const unknown = unknownFields(schema, sent);
  const object = withDefaults(schema, withoutNulls(schema, prune(schema, sent)));
  const causes = validateValue(schema, object, "");
  return {
    ...(causes.length > 0 ? { causes } : { spec: object.spec }),
    ...(unknown.length > 0 && { unknown }),
  };
}

/** The real server goes through properties in random order. */
function sorted({ causes, ...rest }: Answer): Answer {
  const text = (cause: object) => JSON.stringify(cause, ["field", "message"]);
  return {
    ...rest,
    ...(causes && { causes: causes.toSorted((a, b) => (text(a) < text(b) ? -1 : 1)) }),
  };
}

test.each(specs.map((spec, index) => [JSON.stringify(spec), index] as const))(
  "answers %s as kube-apiserver does",
  (_, index) => {
    expect(sorted(answerTo(specs[index]))).toEqual(sorted(answers[index] ?? {}));
  },
);
