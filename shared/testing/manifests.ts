import { loadAll } from "js-yaml";
import { KUBE_YAML } from "../../local/kube/kube-yaml.ts";
import type { Kind } from "../api/object.ts";
import { collectionPath } from "../kube/paths.ts";
import type { Transport } from "../kube/wire.ts";

/** An object as one writes it, of any kind. */
export interface AnyManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** The objects of a YAML text with any number of documents, or of one object. */
export function manifestsOf(given: object | string): readonly AnyManifest[] {
  const documents = typeof given === "string" ? loadAll(given, { schema: KUBE_YAML }) : [given];
  return documents.filter((each) => each !== null && each !== undefined).map(checked);
}

function checked(given: unknown): AnyManifest {
  const { apiVersion, kind, metadata } = (given ?? {}) as Partial<AnyManifest>;
  if (!apiVersion || !kind || !metadata?.name) {
    const got = JSON.stringify(given).slice(0, 100);
    throw new Error(
      `cannot read manifest: expected apiVersion, kind and metadata.name, got ${got}`,
    );
  }
  return given as AnyManifest;
}

/** The kind of a manifest, as the API server serves it. Rejects where it does not. */
export async function servedKind(transport: Transport, wanted: KindName): Promise<Kind> {
  const found = await findKind(transport, wanted);
  if (found) return found;
  throw new Error(
    `cannot find kind ${wanted.kind} of ${wanted.apiVersion}: the API server does not serve it; name its CustomResourceDefinition in "crds"`,
  );
}

/** The kind as the API server serves it; undefined where it does not. */
export async function findKind(
  transport: Transport,
  { apiVersion, kind }: KindName,
): Promise<Kind | undefined> {
  const root = apiVersion.includes("/") ? "/apis" : "/api";
  const { body } = await transport.request({ method: "GET", path: `${root}/${apiVersion}` });
  const { resources = [] } = body as { resources?: readonly Resource[] };
  const found = resources.find((each) => each.kind === kind && !each.name.includes("/"));
  if (!found) return undefined;
  const scope = found.namespaced ? "Namespaced" : "Cluster";
  return { apiVersion, kind, plural: found.name, scope };
}

type KindName = Pick<Kind, "apiVersion" | "kind">;

interface Resource {
  /** Plural, with a slash for subresources. */
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Whether the objects of a kind can be listed, as those of a new kind cannot at once. */
export async function listable(transport: Transport, kind: Kind): Promise<boolean> {
  const path = collectionPath(kind, undefined);
  const { status } = await transport.request({ method: "GET", path, query: { limit: "1" } });
  return status === 200;
}

/** A CustomResourceDefinition that lets every field pass, for a kind whose own was not given. */
export function openDefinition({ apiVersion, kind, plural, scope }: Kind): AnyManifest {
  const [group = "", version = ""] = apiVersion.split("/");
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: open },
        },
      ],
    },
  };
  return definition;
}
