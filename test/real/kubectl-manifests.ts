// What the commands of the script apply. JSON is YAML, too.

const conditions = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["type"],
  items: {
    type: "object",
    required: ["type", "status"],
    properties: {
      type: { type: "string" },
      status: { type: "string" },
      reason: { type: "string" },
    },
  },
};

const specOfWebsite = {
  type: "object",
  description: "What the website is to be.",
  required: ["host"],
  properties: {
    host: { type: "string", description: "The name that people type.", minLength: 3 },
    replicas: { type: "integer", default: 1, minimum: 0, description: "How many serve it." },
    mode: { type: "string", enum: ["fast", "safe"] },
    pages: { type: "array", items: { type: "string" } },
  },
};

const statusOfWebsite = {
  type: "object",
  properties: { replicas: { type: "integer" }, selector: { type: "string" }, conditions },
};

export const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "websites.web.example.com" },
  spec: {
    group: "web.example.com",
    scope: "Namespaced",
    names: {
      kind: "Website",
      plural: "websites",
      singular: "website",
      shortNames: ["ws"],
      categories: ["all", "pages"],
    },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: {
            specReplicasPath: ".spec.replicas",
            statusReplicasPath: ".status.replicas",
            labelSelectorPath: ".status.selector",
          },
        },
        additionalPrinterColumns: [
          { name: "Host", type: "string", jsonPath: ".spec.host" },
          {
            name: "Ready",
            type: "string",
            jsonPath: '.status.conditions[?(@.type=="Ready")].status',
          },
          { name: "Mode", type: "string", jsonPath: ".spec.mode", priority: 1 },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: {
          openAPIV3Schema: {
            type: "object",
            description: "A website that people can visit.",
            required: ["spec"],
            properties: { spec: specOfWebsite, status: statusOfWebsite },
          },
        },
      },
    ],
  },
};

export const website = (name: string, spec: object, metadata: object = {}) => ({
  apiVersion: "web.example.com/v1",
  kind: "Website",
  metadata: { name, ...metadata },
  spec,
});

export const configMap = (name: string, data: object, metadata: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...metadata },
  data,
});

export const namespace = (name: string) => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name, labels: { team: "web" } },
});

export const secret = (name: string) => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name },
  stringData: { password: "swordfish" },
});

export const service = (name: string) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  spec: { clusterIP: "None", selector: { app: name }, ports: [{ port: 80, name: "http" }] },
});

export const deployment = (name: string, image: string, replicas = 2) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, labels: { app: name } },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          {
            name: "main",
            image,
            ports: [{ containerPort: 80, name: "http" }],
            env: [{ name: "MODE", value: "fast" }],
            resources: { requests: { cpu: "100m", memory: "64Mi" } },
          },
        ],
      },
    },
  },
});

export const event = (name: string, namespaceName: string) => ({
  apiVersion: "v1",
  kind: "Event",
  metadata: { name },
  involvedObject: {
    apiVersion: "web.example.com/v1",
    kind: "Website",
    namespace: namespaceName,
    name: "shop",
  },
  type: "Warning",
  reason: "HostTaken",
  message: "the host is taken by another website",
  source: { component: "website-controller" },
  firstTimestamp: "2026-01-01T00:00:00Z",
  lastTimestamp: "2026-01-01T00:00:00Z",
  count: 3,
});

/** Nothing is to be found of it before the finalizer is taken off. */
export const held = (name: string) =>
  configMap(name, { a: "1" }, { finalizers: ["example.com/hold"] });
