import { ApiError } from "../../local/kube/api-error.ts";
import type { ApiObject, ManagedFieldsEntry } from "../../local/kube/api-object.ts";
import { type ApplyOptions, applyObject } from "../../local/kube/apply-object.ts";
import { trackUpdate, type UpdateOptions } from "../../local/kube/apply-update.ts";
import { builtInResources } from "../../local/kube/built-in-resources.ts";
import type { Schema } from "../../local/kube/schema.ts";
import type { ServedResource } from "../../local/kube/served-resource.ts";

export const START = Date.UTC(2026, 0, 1);
const text: Schema = { type: "string" };

/** A custom kind with a list of each sort. */
export const widgets: ServedResource = {
  group: "example.com",
  version: "v1",
  kind: "Widget",
  listKind: "WidgetList",
  plural: "widgets",
  singular: "widget",
  shortNames: [],
  categories: [],
  namespaced: true,
  custom: true,
  subresources: { status: true },
  columns: [],
  selectableFields: [],
  storage: { group: "example.com", plural: "widgets", version: "v1" },
  schema: {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          mode: text,
          tags: { type: "array", items: text, "x-kubernetes-list-type": "set" },
          ports: {
            type: "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["port", "protocol"],
            items: {
              type: "object",
              properties: {
                port: { type: "integer" },
                protocol: { type: "string", default: "TCP" },
                name: text,
              },
            },
          },
          plain: { type: "array", items: text },
          whole: {
            type: "object",
            "x-kubernetes-map-type": "atomic",
            properties: { a: text, b: text },
          },
          free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
      status: { type: "object", properties: { phase: text } },
    },
  },
};

export function builtIn(kind: string): ServedResource {
  const found = builtInResources().find((each) => each.kind === kind);
  if (!found) throw new Error(`no built-in kind ${kind}`);
  return found;
}

type Fields = Readonly<Record<string, unknown>>;

/** An object of a kind; created objects have a uid. */
export function objectOf(resource: ServedResource, fields: Fields, meta: Fields = {}): ApiObject {
  const { group, version, kind } = resource;
  const metadata = { name: "a", namespace: "default", uid: "u", resourceVersion: "1", ...meta };
  const creationTimestamp = "2026-01-01T00:00:00Z";
  return {
    apiVersion: group ? `${group}/${version}` : version,
    kind,
    ...fields,
    metadata: { creationTimestamp, ...metadata },
  };
}

/** What an applier sends. */
export function patchOf(resource: ServedResource, fields: Fields, meta: Fields = {}): Fields {
  const { apiVersion, kind } = objectOf(resource, {});
  return { apiVersion, kind, ...fields, metadata: { name: "a", namespace: "default", ...meta } };
}

type ApplyCase = Pick<ApplyOptions, "resource" | "patch"> & Partial<ApplyOptions>;

/** Applies as manager "a" without force at START, unless told otherwise. */
export function apply(options: ApplyCase): ApiObject {
  const result = applyObject({ manager: "a", force: false, nowMs: START, ...options });
  return { ...result, metadata: { ...result.metadata, uid: "u" } };
}

type UpdateCase = Pick<UpdateOptions, "resource" | "after"> & Partial<UpdateOptions>;

/** Updates as manager "u" at START, unless told otherwise. */
export function update(options: UpdateCase): ApiObject {
  return trackUpdate({ manager: "u", nowMs: START, ...options });
}

/** "a Apply": fields; with the subresource where there is one. */
export function owners(object: ApiObject): Record<string, object> {
  const entries = object.metadata.managedFields ?? [];
  return Object.fromEntries(entries.map((entry) => [ownerName(entry), entry.fieldsV1]));
}

function ownerName({ manager, operation, subresource }: ManagedFieldsEntry): string {
  return [manager, operation, subresource].filter(Boolean).join(" ");
}

/** What a call throws; fails where it throws nothing. */
export function refusal(call: () => unknown): ApiError {
  try {
    call();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("expected an ApiError, got none");
}
