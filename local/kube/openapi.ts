import { createHash } from "node:crypto";
import { builtInDefinitions, definitionName, type ReferringSchema } from "./built-in-resources.ts";
import type { ServedResource } from "./served-resource.ts";

/** What "/openapi/v3" answers: a document for each group and version, with a hash that names its content. */
export function openApiIndex(resources: readonly ServedResource[]): object {
  const paths = [...new Set(resources.map(documentPath))].map((path) => {
    const of = resources.filter((resource) => documentPath(resource) === path);
    const hash = createHash("sha512")
      .update(JSON.stringify(of.map(schemaId)))
      .digest("hex");
    const serverRelativeURL = `/openapi/v3/${path}?hash=${hash.toUpperCase()}`;
    return [path, { serverRelativeURL }] as const;
  });
  return { paths: Object.fromEntries(paths) };
}

/**
 * The document of a group and version. It says what clients ask it for: schemas for `kubectl
 * explain`, kinds, and the parameters `fieldValidation` and `dryRun` without which `kubectl apply`
 * does not believe that the server knows them. Undefined where nothing is served there.
 */
export function openApiDocument(
  path: string,
  resources: readonly ServedResource[],
): object | undefined {
  const served = resources.filter((resource) => documentPath(resource) === path);
  if (served.length === 0) return undefined;
  const schemas = new Map<string, ReferringSchema>();
  for (const resource of served) addSchemas(resource, schemas);
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: "unversioned" },
    paths: Object.fromEntries(served.flatMap(pathsOf)),
    components: { schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))) },
  };
}

function documentPath({ group, version }: ServedResource): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

/** Built-in schemas never change, and may contain themselves. */
function schemaId({ group, version, kind, custom, schema }: ServedResource): unknown {
  return [group, version, kind, custom ? schema : ""];
}

/** Name of the schema in the document: the reversed group, as for types of the API server. */
function schemaName(resource: ServedResource): string {
  const { group, version, kind } = resource;
  return definitionName(resource) ?? [...group.split(".").reverse(), version, kind].join(".");
}

function addSchemas(resource: ServedResource, into: Map<string, ReferringSchema>): void {
  const { group, version, kind, custom, schema } = resource;
  const name = schemaName(resource);
  const gvk = { "x-kubernetes-group-version-kind": [{ group, version, kind }] };
  if (custom) {
    const { properties = {} } = schema;
    const metadata = { $ref: `${REFERENCE}${OBJECT_META}` };
    const identity = { apiVersion: { type: "string" }, kind: { type: "string" } };
    into.set(name, { ...schema, properties: { ...identity, ...properties, metadata }, ...gvk });
    addDefinition(OBJECT_META, into);
    return;
  }
  addDefinition(name, into);
  into.set(name, { ...into.get(name), ...gvk });
}

const REFERENCE = "#/components/schemas/";
const OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

function addDefinition(name: string, into: Map<string, ReferringSchema>): void {
  if (into.has(name)) return;
  const definition = builtInDefinitions()[name];
  if (!definition) return;
  const text = JSON.stringify(definition);
  const named = text.replaceAll(/"\$ref":"([^"#]+)"/g, `"$ref":"${REFERENCE}$1"`);
  into.set(name, JSON.parse(named) as ReferringSchema);
  for (const [, reference = ""] of text.matchAll(/"\$ref":"([^"#]+)"/g)) {
    addDefinition(reference, into);
  }
}

const query = (name: string, type = "string") => ({
  name,
  in: "query",
  schema: { type, uniqueItems: true },
});
const WRITE = [query("dryRun"), query("fieldManager"), query("fieldValidation")];
const PATCHES = ["application/json-patch+json", "application/merge-patch+json"];
const STRATEGIC = "application/strategic-merge-patch+json";
const APPLY = "application/apply-patch+yaml";

function pathsOf(resource: ServedResource): readonly (readonly [string, object])[] {
  const { plural, namespaced, subresources } = resource;
  const root = `/${documentPath(resource)}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const one = `${collection}/{name}`;
  return [
    ...(namespaced ? [[`${root}/${plural}`, { get: operation(resource, "list") }] as const] : []),
    [collection, { get: operation(resource, "list"), post: operation(resource, "post", WRITE) }],
    [one, operationsOn(resource)],
    ...(subresources.status ? [[`${one}/status`, operationsOn(resource)] as const] : []),
  ];
}

function operationsOn(resource: ServedResource): object {
  const types = [APPLY, ...PATCHES, ...(resource.custom ? [] : [STRATEGIC])];
  const content = Object.fromEntries(types.map((type) => [type, { schema: { type: "object" } }]));
  return {
    get: operation(resource, "get"),
    put: operation(resource, "put", WRITE),
    delete: operation(resource, "delete", [query("dryRun"), query("propagationPolicy")]),
    patch: {
      ...operation(resource, "patch", [...WRITE, query("force", "boolean")]),
      requestBody: { required: true, content },
    },
  };
}

function operation(
  resource: ServedResource,
  action: string,
  parameters: readonly object[] = [],
): object {
  const { group, version, kind } = resource;
  const schema = { $ref: `${REFERENCE}${schemaName(resource)}` };
  return {
    parameters,
    responses: { 200: { description: "OK", content: { "application/json": { schema } } } },
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": { group, version, kind },
  };
}
