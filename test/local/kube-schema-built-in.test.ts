import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { completeBuiltIn } from "../../local/kube/built-in-create.ts";
import { decodeFault } from "../../local/kube/built-in-decoding.ts";
import { defaultBuiltIn } from "../../local/kube/built-in-defaults.ts";
import { builtInResources } from "../../local/kube/built-in-resources.ts";
import { validateBuiltIn } from "../../local/kube/built-in-validation.ts";
import type { ServedResource } from "../../local/kube/served-resource.ts";
import { type BuiltInCase, validBuiltIns } from "./kube-schema-built-in-cases.ts";
import { invalidBuiltIns } from "./kube-schema-built-in-faults.ts";

const answers = JSON.parse(
  readFileSync(join(import.meta.dirname, "kube-schema-built-in-answers.json"), "utf8"),
) as {
  readonly valid: Readonly<Record<string, object>>;
  readonly invalid: Readonly<Record<string, object[] | string>>;
};

function resourceOf({ object }: BuiltInCase): ServedResource {
  const found = builtInResources().find(({ group, version, kind }) => {
    return kind === object.kind && [group, version].filter(Boolean).join("/") === object.apiVersion;
  });
  if (!found) throw new Error(`no resource of ${object.kind}`);
  return found;
}

/** As a server that creates it; the address is the server's choice. */
function created(each: BuiltInCase): unknown {
  const resource = resourceOf(each);
  const object = { ...each.object, metadata: { ...(each.object.metadata as object), uid: "UID" } };
  return withoutAddress(completeBuiltIn(resource, defaultBuiltIn(resource, object)));
}

function withoutAddress(object: unknown): unknown {
  const { metadata, spec, ...rest } = object as Record<string, Record<string, unknown>>;
  const { uid: _uid, generation: _generation, namespace: _namespace, ...own } = metadata ?? {};
  const { clusterIP: _address, clusterIPs: _addresses, ...fields } = spec ?? {};
  return { ...rest, metadata: own, ...(spec && { spec: fields }) };
}

test.each(validBuiltIns.map((each) => [each.name, each] as const))(
  "%s is stored as kube-apiserver stores it",
  (name, each) => {
    expect(created(each)).toEqual(withoutAddress(answers.valid[name]));
  },
);

test.each(validBuiltIns.map((each) => [each.name, each] as const))(
  "%s does not change when it is written again",
  (_, each) => {
    const resource = resourceOf(each);
    const once = defaultBuiltIn(resource, each.object);
    expect(defaultBuiltIn(resource, once)).toEqual(once);
  },
);

/** The real server goes through maps in random order. */
function sorted(faults: readonly object[]): readonly object[] {
  const text = (fault: object) => JSON.stringify(fault, ["field", "message"]);
  return faults.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
}

const refused = invalidBuiltIns.flatMap((each) => {
  const answer = answers.invalid[each.name];
  return Array.isArray(answer) ? [[each.name, each, answer as object[]] as const] : [];
});

test.each(refused)("%s has the faults that kube-apiserver finds", (_, each, answer) => {
  const resource = resourceOf(each);
  const place = resource.namespaced ? { namespace: "default" } : {};
  const object = { ...each.object, metadata: { ...place, ...(each.object.metadata as object) } };
  const found = validateBuiltIn(resource, defaultBuiltIn(resource, object));
  expect(sorted(found)).toEqual(sorted(answer));
});

test.each(validBuiltIns.map((each) => [each.name, each] as const))(
  "%s has no faults",
  (_, each) => {
    const resource = resourceOf(each);
    expect(validateBuiltIn(resource, defaultBuiltIn(resource, each.object))).toEqual([]);
  },
);

const unreadable = invalidBuiltIns.flatMap((each) => {
  const answer = answers.invalid[each.name];
  const message = typeof answer === "string" ? answer : "";
  const [, fault] = /cannot be handled as a \w+: (.*)$/.exec(message) ?? [];
  return fault === undefined ? [] : [[each.name, each, fault] as const];
});

test.each(unreadable)("%s cannot be decoded, as kube-apiserver says", (_, each, fault) => {
  expect(decodeFault(resourceOf(each), each.object)).toBe(fault);
});

test.each(
  [...validBuiltIns, ...refused.map(([, each]) => each)].map((each) => [each.name, each] as const),
)("%s can be decoded", (_, each) => {
  expect(decodeFault(resourceOf(each), each.object)).toBeUndefined();
});
