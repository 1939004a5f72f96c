import type { Answer } from "./harness/api.ts";
import { defineWidgets } from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const INDEX = "/openapi/v3";
const GROUP = "apis/{ns}.example.com/v1";
const WIDGET = "/apis/{ns}.example.com/v1/namespaces/{namespace}/widgets/{name}";

type Tree = Readonly<Record<string, unknown>>;

function at(answer: Answer, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((tree, key) => (tree as Tree | undefined)?.[key], answer.body);
}

/** What clients look for: kubectl believes that the server knows dryRun and fieldValidation. */
function parameters(answer: Answer, path: string, method: string): unknown {
  const given = at(answer, "paths", path, method, "parameters") as readonly Tree[] | undefined;
  const wanted = ["dryRun", "fieldManager", "fieldValidation", "force"];
  return wanted.filter((name) => given?.some((each) => each.name === name));
}

export const scenarios = [
  scenario("the document of a definition's group", async (api) => {
    await defineWidgets(api);
    const group = GROUP.replace("{ns}", api.namespace);
    await api.quiet.until(INDEX, (answer) => at(answer, "paths", group) !== undefined);
    await api.quiet.until(`${INDEX}/${GROUP}`, ({ status }) => status === 200);
    const path = WIDGET.replace("{ns}", api.namespace);
    const document = (pick: (answer: Answer) => unknown) => api.part(`${INDEX}/${GROUP}`, pick);
    const schema = ["components", "schemas", `com.example.${api.namespace}.v1.Widget`];
    await document((answer) => at(answer, ...schema, "properties", "spec"));
    await document((answer) => at(answer, ...schema, "x-kubernetes-group-version-kind"));
    await document((answer) => parameters(answer, path, "patch"));
    await document((answer) => parameters(answer, path, "put"));
    await document((answer) => at(answer, "paths", path, "patch", "x-kubernetes-action"));
    await document((answer) =>
      Object.keys(
        (at(answer, "paths", path, "patch", "requestBody", "content") ?? {}) as Tree,
      ).filter((type) => !type.endsWith("cbor")),
    );
  }),
  scenario("built-in groups", async (api) => {
    const path = "/api/v1/namespaces/{namespace}/configmaps/{name}";
    await api.part(`${INDEX}/api/v1`, (answer) => parameters(answer, path, "patch"));
    const schema = ["components", "schemas", "io.k8s.api.core.v1.ConfigMap"];
    await api.part(`${INDEX}/api/v1`, (answer) =>
      at(answer, ...schema, "x-kubernetes-group-version-kind"),
    );
  }),
];
