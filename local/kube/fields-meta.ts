import type { Schema } from "./schema.ts";

const text: Schema = { type: "string" };
const time: Schema = { type: "string", format: "date-time" };
const texts: Schema = { type: "object", additionalProperties: text };

/** https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/ */
export const OBJECT_META: Schema = {
  type: "object",
  properties: {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid: text,
    resourceVersion: text,
    generation: { type: "integer", format: "int64" },
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: { type: "integer", format: "int64" },
    labels: texts,
    annotations: texts,
    finalizers: {
      type: "array",
      items: text,
      "x-kubernetes-list-type": "set",
      "x-kubernetes-patch-strategy": "merge",
    },
    ownerReferences: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["uid"],
      "x-kubernetes-patch-merge-key": "uid",
      "x-kubernetes-patch-strategy": "merge",
      items: {
        type: "object",
        "x-kubernetes-map-type": "atomic",
        required: ["apiVersion", "kind", "name", "uid"],
        properties: {
          apiVersion: text,
          kind: text,
          name: text,
          uid: text,
          controller: { type: "boolean" },
          blockOwnerDeletion: { type: "boolean" },
        },
      },
    },
    managedFields: {
      type: "array",
      "x-kubernetes-list-type": "atomic",
      items: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
  },
};
