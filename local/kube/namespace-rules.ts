import type { ApiObject } from "./api-object.ts";

/** The label that tells a namespace's name. https://kubernetes.io/docs/reference/labels-annotations-taints/#kubernetes-io-metadata-name */
const NAME_LABEL = "kubernetes.io/metadata.name";

/** A namespace about to be created: it holds its content, and is active. */
export function createdNamespace(object: ApiObject): ApiObject {
  const spec = (object.spec ?? {}) as { readonly finalizers?: readonly string[] };
  const finalizers = [...new Set([...(spec.finalizers ?? []), "kubernetes"])];
  return named({ ...object, spec: { ...spec, finalizers }, status: { phase: "Active" } });
}

/** A namespace about to be updated: what its spec says is not the client's. */
export function updatedNamespace(object: ApiObject, before: ApiObject): ApiObject {
  return named({ ...object, spec: before.spec });
}

function named(object: ApiObject): ApiObject {
  const { name, labels } = object.metadata;
  return { ...object, metadata: { ...object.metadata, labels: { ...labels, [NAME_LABEL]: name } } };
}
