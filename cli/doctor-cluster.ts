import { sourcesOf } from "../shared/api/controller.ts";
import { groupKindOf, groupOf, type Kind, type KubernetesObject } from "../shared/api/object.ts";
import { createKubeClient } from "../shared/kube/create-kube-client.ts";
import type { KubeClient } from "../shared/kube/kube-client.ts";
import { KubeError, kubeErrorOf } from "../shared/kube/kube-error.ts";
import type { Transport } from "../shared/kube/wire.ts";
import { type Check, check, checked, type Patient } from "./doctor-check.ts";
import { definitionChecks } from "./doctor-definitions.ts";
import { discovered } from "./operate-kinds.ts";
import { span } from "./operate-time.ts";

/** Access to the cluster, rights, kinds, and what there can stand in the way. */
export async function clusterChecks(patient: Patient): Promise<readonly Check[]> {
  let transport: Transport;
  try {
    transport = await patient.place.kube();
  } catch (error) {
    return [{ name: "cluster", level: "fail", text: (error as Error).message }];
  }
  const client = createKubeClient(transport);
  const version = await checked("cluster", () => versionChecks(patient, transport));
  if (version.some(({ level }) => level === "fail")) return version;
  return [
    ...version,
    ...(await checked("rights of these credentials", () => rightsChecks(patient, transport))),
    ...(await checked("kinds", () => kindChecks(patient, transport))),
    ...(await checked("definitions", () => definitionChecks(patient, client))),
    ...(await checked("FlowSchema", () => flowSchemaChecks(patient, client))),
    ...(await checked("webhooks", () => webhookChecks(client))),
  ];
}

async function versionChecks({ place }: Patient, transport: Transport): Promise<readonly Check[]> {
  const response = await transport.request({ method: "GET", path: "/version" });
  if (response.status !== 200) throw kubeErrorOf("get the server's version", response);
  const { gitVersion } = response.body as { readonly gitVersion?: string };
  const offMs = place.clock.clock.nowMs() - Date.parse(response.headers.date ?? "");
  const skew = Number.isNaN(offMs) ? 0 : offMs;
  const todo = "set both clocks by NTP";
  const text = `${span(skew)} from that of the API server`;
  const near = Math.abs(skew) < 10_000; // The header has whole seconds, and may be some old.
  return [
    { name: "cluster", level: "ok", text: `API server ${gitVersion}` },
    check("clock of the cluster", near, { text, todo, level: "warn" }),
  ];
}

/** Whether these credentials may list and watch what the controllers watch, as their watcher must. */
async function rightsChecks(
  { controllers }: Patient,
  transport: Transport,
): Promise<readonly Check[]> {
  const refused: string[] = [];
  for (const kind of kindsOf(controllers)) {
    for (const verb of ["list", "watch"]) {
      const allowed = await mayI(transport, kind, verb);
      if (!allowed) refused.push(`${verb} ${kind.plural}`);
    }
  }
  const text = refused.length === 0 ? "may watch all kinds" : `may not ${refused.join(", ")}`;
  const todo = "asked for your credentials: give them, or the watcher's, the watcher's role";
  return [check("rights", refused.length === 0, { text, todo, level: "warn" })];
}

async function mayI(
  transport: Transport,
  { apiVersion, plural }: Kind,
  verb: string,
): Promise<boolean> {
  const resourceAttributes = { group: groupOf(apiVersion), resource: plural, verb };
  const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  const body = {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    spec: { resourceAttributes },
  };
  const response = await transport.request({ method: "POST", path, body });
  if (response.status !== 201) throw kubeErrorOf("ask for rights", response);
  return (response.body as { status: { allowed: boolean } }).status.allowed;
}

/** Whether the cluster serves what the controllers watch, in the version that they name. */
async function kindChecks(
  { controllers }: Patient,
  transport: Transport,
): Promise<readonly Check[]> {
  const missing: string[] = [];
  for (const kind of kindsOf(controllers)) {
    const served = await discovered(transport, kind);
    if (!served) missing.push(`${kind.plural} of ${kind.apiVersion}`);
  }
  const text = missing.length === 0 ? "all are served" : `not served: ${missing.join(", ")}`;
  const todo = "install their definitions, or mend plural and version of the kind";
  return [check("kinds", missing.length === 0, { text, todo })];
}

function kindsOf(controllers: Patient["controllers"]): readonly Kind[] {
  const sources = controllers.flatMap(sourcesOf);
  return [...new Map(sources.map(({ kind }) => [groupKindOf(kind), kind] as const)).values()];
}

interface FlowSchema extends KubernetesObject {}
const FlowSchema: Kind<FlowSchema> = {
  apiVersion: "flowcontrol.apiserver.k8s.io/v1",
  kind: "FlowSchema",
  plural: "flowschemas",
  scope: "Cluster",
};

async function flowSchemaChecks({ place }: Patient, client: KubeClient): Promise<readonly Check[]> {
  if (place.endpoints.dynamo !== undefined) return []; // A cluster to develop against.
  const own = await client
    .get(FlowSchema, { namespace: "", name: "tidegate" })
    .catch(() => undefined);
  const text = own
    ? "there is one for tidegate"
    : 'no FlowSchema "tidegate": its calls share a level with all others';
  const todo = "none is needed for a small platform; add one where calls are throttled (429)";
  return [check("FlowSchema", own !== undefined, { text, todo, level: "warn" })];
}

interface WebhookConfiguration extends KubernetesObject {
  readonly webhooks?: readonly {
    readonly name: string;
    readonly failurePolicy?: string;
    readonly rules?: readonly { readonly resources?: readonly string[] }[];
  }[];
}

/** A webhook that takes everything and must answer stops all writes of reconcilers while it is away. */
async function webhookChecks(client: KubeClient): Promise<readonly Check[]> {
  const kinds = ["Validating", "Mutating"].map(
    (part): Kind<WebhookConfiguration> => ({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: `${part}WebhookConfiguration`,
      plural: `${part.toLowerCase()}webhookconfigurations`,
      scope: "Cluster",
    }),
  );
  const lists = await Promise.all(kinds.map((kind) => client.list(kind).catch(noneServed)));
  const names = broadWebhooks(lists.flat());
  const text =
    names.length === 0
      ? "none takes every resource"
      : `${names.join(", ")} must answer for every resource`;
  const todo =
    "while such a webhook is away, reconcilers cannot write: narrow its rules, or its failurePolicy";
  return [check("webhooks", names.length === 0, { text, todo, level: "warn" })];
}

/** The names of webhooks that must answer for every resource. */
export function broadWebhooks(
  configurations: readonly Pick<WebhookConfiguration, "webhooks">[],
): readonly string[] {
  return configurations
    .flatMap(({ webhooks = [] }) => webhooks)
    .filter(({ failurePolicy = "Fail" }) => failurePolicy === "Fail")
    .filter(({ rules = [] }) =>
      rules.some(({ resources = [] }) => resources.some((each) => each.startsWith("*"))),
    )
    .map(({ name }) => name);
}

/** The embedded cluster asks no webhooks. */
function noneServed(error: unknown): readonly WebhookConfiguration[] {
  if (error instanceof KubeError && error.status === 404) return [];
  throw error;
}
