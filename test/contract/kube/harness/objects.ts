import type { Api } from "./api.ts";

// What many scenarios write: as small as the server lets it be.

export const NAMESPACES = "/api/v1/namespaces";
export const CONFIG_MAPS = "/api/v1/namespaces/{ns}/configmaps";
export const SECRETS = "/api/v1/namespaces/{ns}/secrets";
export const SERVICES = "/api/v1/namespaces/{ns}/services";
export const PODS = "/api/v1/namespaces/{ns}/pods";
export const DEPLOYMENTS = "/apis/apps/v1/namespaces/{ns}/deployments";
export const JOBS = "/apis/batch/v1/namespaces/{ns}/jobs";
/** Of `defineWidgets`. */
export const WIDGETS = "/apis/{ns}.example.com/v1/namespaces/{ns}/widgets";

export function configMap(name: string, more: object = {}, metadata: object = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, ...more };
}

export function service(name: string, spec: object = {}, metadata: object = {}) {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, ...metadata },
    spec: { ports: [{ port: 80 }], ...spec },
  };
}

export function pod(name: string, spec: object = {}, metadata: object = {}) {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, ...metadata },
    spec: { containers: [{ name: "main", image: "app:1" }], ...spec },
  };
}

export function deployment(name: string, spec: object = {}, metadata: object = {}) {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, ...metadata },
    spec: { selector: { matchLabels: { app: name } }, template: template(name), ...spec },
  };
}

/** Of a pod, for the kinds that make some. */
export function template(app: string, spec: object = {}) {
  return {
    metadata: { labels: { app } },
    spec: { containers: [{ name: "main", image: "app:1" }], ...spec },
  };
}

export function widget(name: string, more: object = {}, metadata: object = {}) {
  return {
    apiVersion: "{ns}.example.com/v1",
    kind: "Widget",
    metadata: { name, ...metadata },
    ...more,
  };
}

const TEXT = { type: "string" };
const PORT = {
  type: "object",
  required: ["port"],
  properties: {
    port: { type: "integer" },
    protocol: { type: "string", default: "TCP" },
    note: TEXT,
  },
};

/** Every kind of list and map that server-side apply tells apart. */
const SPEC = {
  type: "object",
  properties: {
    size: { type: "integer", maximum: 100 },
    color: { type: "string", enum: ["red", "green", "blue"] },
    mode: { type: "string", default: "auto" },
    note: { type: "string", nullable: true },
    replicas: { type: "integer" },
    tags: { type: "array", items: TEXT, "x-kubernetes-list-type": "set" },
    steps: { type: "array", items: TEXT },
    ports: {
      type: "array",
      items: PORT,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port", "protocol"],
    },
    limits: { type: "object", additionalProperties: TEXT },
    selector: {
      type: "object",
      additionalProperties: TEXT,
      "x-kubernetes-map-type": "atomic",
    },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
};

const STATUS = {
  type: "object",
  properties: {
    phase: TEXT,
    replicas: { type: "integer" },
    conditions: {
      type: "array",
      items: {
        type: "object",
        required: ["type"],
        properties: { type: TEXT, status: TEXT },
      },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["type"],
    },
  },
};

/** The CustomResourceDefinition of Widget, in the scenario's own group. */
export function widgetDefinition(subresources?: object) {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.{ns}.example.com" },
    spec: {
      group: "{ns}.example.com",
      names: { kind: "Widget", plural: "widgets" },
      scope: "Namespaced",
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: "object", properties: { spec: SPEC, status: STATUS } },
          },
          ...(subresources && { subresources }),
        },
      ],
    },
  };
}

/** Resolves once the server serves Widgets, which have a status subresource unless told otherwise. */
export async function defineWidgets(
  { quiet }: Api,
  { subresources = { status: {} } }: { subresources?: object | null } = {},
): Promise<void> {
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const made = await quiet.post(path, widgetDefinition(subresources ?? undefined));
  if (made.status !== 201) throw new Error(`defining Widget: got ${JSON.stringify(made.body)}`);
  await quiet.until(WIDGETS, ({ status }) => status === 200);
}
