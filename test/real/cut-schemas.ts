import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type KubeConnection, kubeRequest } from "../../local/kube-apiserver/kube-request.ts";
import { type CutSchema, cutDefinitions } from "./cut-definitions.ts";
import { cutEncoding } from "./cut-encoding.ts";
import { startKube } from "./kube-apiserver.ts";

/**
 * Writes local/kube/built-in-schemas.json anew: what the embedded API server knows of built-in kinds.
 * All of it is asked of a real kube-apiserver, which publishes its OpenAPI v3 (Apache-2.0, see
 * NOTICE) with the enums that the files in its source lack. The same server gives the same bytes.
 *
 *   node --conditions=tidegate-source test/real/cut-schemas.ts [--check]
 */
const TARGET = join(import.meta.dirname, "../../local/kube/built-in-schemas.json");

/** The file must stay small enough to be read at every start. */
const MAX_BYTES = 400_000;

/** By group and version; a kind that the server serves in two versions is named in both. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  "/v1": [
    "namespaces configmaps secrets services serviceaccounts pods nodes events",
    "persistentvolumeclaims endpoints",
  ],
  "apps/v1": ["deployments replicasets statefulsets daemonsets controllerrevisions"],
  "batch/v1": ["jobs cronjobs"],
  "networking.k8s.io/v1": ["ingresses ingressclasses networkpolicies"],
  "rbac.authorization.k8s.io/v1": ["roles rolebindings clusterroles clusterrolebindings"],
  "policy/v1": ["poddisruptionbudgets"],
  "autoscaling/v2": ["horizontalpodautoscalers"],
  "autoscaling/v1": ["horizontalpodautoscalers"],
  "coordination.k8s.io/v1": ["leases"],
  "discovery.k8s.io/v1": ["endpointslices"],
  "events.k8s.io/v1": ["events"],
  "scheduling.k8s.io/v1": ["priorityclasses"],
  "storage.k8s.io/v1": ["storageclasses"],
  "apiextensions.k8s.io/v1": ["customresourcedefinitions"],
  "flowcontrol.apiserver.k8s.io/v1": ["flowschemas prioritylevelconfigurations"],
};

/** Definitions beside the kinds that the embedded server needs. */
const EXTRA = [
  "io.k8s.api.autoscaling.v1.Scale",
  "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Status",
];

interface Discovered {
  readonly resource: string;
  readonly responseKind: { readonly kind: string };
  readonly scope: string;
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, CutSchema>> };
}

await main(process.argv.includes("--check"));

async function main(check: boolean): Promise<void> {
  const kube = await startKube({ deployments: false, garbageCollector: false });
  try {
    const text = await dataOf(kube);
    if (text.length > MAX_BYTES) {
      throw new Error(`cannot keep the schemas: expected ${MAX_BYTES} bytes, got ${text.length}`);
    }
    if (!check) await writeFile(TARGET, text);
    else if ((await readFile(TARGET, "utf8")) !== text) {
      throw new Error(`${TARGET} is not what ${kube.version} serves; run this without --check`);
    }
    console.log(`${TARGET}: ${text.length} bytes of ${kube.version}`);
  } finally {
    await kube.stop();
  }
}

async function dataOf(kube: KubeConnection & { readonly version: string }): Promise<string> {
  const resources: object[] = [];
  const all: Record<string, CutSchema> = {};
  const roots: string[] = [...EXTRA];
  for (const [groupVersion, lines] of Object.entries(KINDS)) {
    const [group = "", version = ""] = groupVersion.split("/");
    const served = await discovered(kube, group, version);
    const schemas = await definitionsOf(kube, pathOf(group, version));
    Object.assign(all, schemas);
    for (const plural of lines.join(" ").split(" ")) {
      const found = served.find(({ resource }) => resource === plural);
      if (!found) throw new Error(`${groupVersion} serves no ${plural}`);
      const definition = definitionNamed(schemas, {
        group,
        version,
        kind: found.responseKind.kind,
      });
      roots.push(definition);
      const columns = await columnsOf(kube, `${pathOf(group, version)}/${plural}`);
      resources.push({ group, version, ...described(found), columns, definition });
    }
  }
  const definitions = cutDefinitions(all, roots);
  const encoding = await cutEncoding(kube.version, definitions);
  const lines = resources.map((resource) => JSON.stringify(resource));
  return (
    `{"kubernetes":${JSON.stringify(kube.version)},\n"resources":[\n${lines.join(",\n")}\n],\n` +
    `"definitions":{\n${linesOf(definitions)}\n},\n"encoding":{\n${linesOf(encoding)}\n}}\n`
  );
}

/** One line each, so that changes can be read. */
function linesOf(parts: Readonly<Record<string, object>>): string {
  const lines = Object.entries(parts).map(
    ([name, part]) => `${JSON.stringify(name)}:${JSON.stringify(part)}`,
  );
  return lines.join(",\n");
}

/** Empty lists are left out: whoever reads the data fills them in. */
function described(found: Discovered): object {
  const { shortNames = [], categories = [], subresources = [] } = found;
  const names = subresources.map(({ subresource }) => subresource).sort();
  return {
    kind: found.responseKind.kind,
    plural: found.resource,
    singular: found.singularResource,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    namespaced: found.scope === "Namespaced",
    verbs: found.verbs.toSorted(),
    ...(names.length > 0 && { subresources: names }),
  };
}

function pathOf(group: string, version: string): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

async function discovered(
  kube: KubeConnection,
  group: string,
  version: string,
): Promise<readonly Discovered[]> {
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const list = (await asked(kube, group === "" ? "/api" : "/apis", accept)) as {
    items: {
      metadata: { name?: string };
      versions: { version: string; resources: Discovered[] }[];
    }[];
  };
  const found = list.items.find(({ metadata }) => (metadata.name ?? "") === group);
  return found?.versions.find((each) => each.version === version)?.resources ?? [];
}

async function definitionsOf(
  kube: KubeConnection,
  path: string,
): Promise<OpenApi["components"]["schemas"]> {
  const answer = await kubeRequest(kube, { path: `/openapi/v3${path}` });
  return (answer.body as OpenApi).components.schemas;
}

function definitionNamed(
  schemas: Readonly<Record<string, CutSchema>>,
  gvk: { readonly group: string; readonly version: string; readonly kind: string },
): string {
  const wanted = JSON.stringify(gvk, ["group", "kind", "version"]);
  const names = Object.keys(schemas).filter((name) => {
    const kinds = (schemas[name]?.["x-kubernetes-group-version-kind"] ?? []) as object[];
    return kinds.some((kind) => JSON.stringify(kind, ["group", "kind", "version"]) === wanted);
  });
  if (names.length !== 1)
    throw new Error(`expected one definition of ${wanted}, got ${names.join()}`);
  return names[0] as string;
}

async function asked(kube: KubeConnection, path: string, accept: string): Promise<unknown> {
  const { status, body } = await kubeRequest(kube, { path, accept });
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Without descriptions; formats and priorities only where there are some. */
async function columnsOf(kube: KubeConnection, path: string): Promise<readonly object[]> {
  const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";
  const table = (await asked(kube, path, accept)) as {
    columnDefinitions: { name: string; type: string; format: string; priority: number }[];
  };
  return table.columnDefinitions.map(({ name, type, format, priority }) => ({
    name,
    type,
    ...(format !== "" && { format }),
    ...(priority !== 0 && { priority }),
  }));
}
