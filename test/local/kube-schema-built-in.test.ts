import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { completeBuiltIn } from "../../local/kube/built-in-create.ts";
import { defaultBuiltIn } from "../../local/kube/built-in-defaults.ts";
import { builtInResources } from "../../local/kube/built-in-resources.ts";
import type { ServedResource } from "../../local/kube/served-resource.ts";
import { type BuiltInCase, validBuiltIns } from "./kube-schema-built-in-cases.ts";

const answers = JSON.parse(
  readFileSync(join(import.meta.dirname, "kube-schema-built-in-answers.json"), "utf8"),
) as { readonly valid: Readonly<Record<string, object>> };

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
