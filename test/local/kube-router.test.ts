import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { memoryPeer } from "./kube-peer.ts";

const USUAL = ["POST", "PUT", "PATCH", "PATCH", "PATCH"];
const METHODS = [...USUAL, ...USUAL, "GET", "DELETE", "HEAD", "PURGE", ""];
const CORE = "/api/v1/namespaces/default";
const COLLECTIONS = [
  `${CORE}/configmaps`,
  `${CORE}/pods`,
  `${CORE}/services`,
  `${CORE}/events`,
  "/api/v1/namespaces",
  "/apis/apps/v1/namespaces/default/deployments",
  "/apis/example.com/v1/namespaces/default/widgets",
  "/apis/events.k8s.io/v1/namespaces/default/events",
];
const TAILS = [
  "",
  "/a",
  "/a",
  "/a",
  "/a",
  "/a",
  "/a/status",
  "/a/scale",
  "/a/binding",
  "/a/eviction",
  "/none",
];
const ODD_PATHS = [
  "/",
  "/api",
  "/apis",
  "/apis/none/v1/x",
  "/openapi/v3",
  "/%",
  "/api/v1/%2e%2e",
  "/api//v1",
];
const PATCHES = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];
const TYPES = [
  "application/json",
  "application/json",
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  "",
  "text/plain; charset",
];
const QUERIES = [
  "fieldManager=x",
  "force=true",
  "dryRun=All",
  "dryRun=x",
  "fieldValidation=Strict",
  "fieldValidation=Ignore",
  "limit=1",
  "limit=-1",
  "continue=x",
  "resourceVersion=0",
  "resourceVersion=x",
  "labelSelector=a%3Db",
  "labelSelector=(",
  "fieldSelector=metadata.name%3Da",
  "propagationPolicy=Foreground",
  "gracePeriodSeconds=x",
  "timeoutSeconds=1",
];

const DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    names: { kind: "Widget", plural: "widgets" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  replicas: { type: "integer" },
                  tags: {
                    type: "array",
                    items: { type: "string" },
                    "x-kubernetes-list-type": "set",
                  },
                },
              },
              status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            },
          },
        },
      },
    ],
  },
};

/** Names that the server looks for, so that values get to where they are read. */
const KEYS = [
  "metadata",
  "name",
  "namespace",
  "labels",
  "annotations",
  "finalizers",
  "ownerReferences",
  "managedFields",
  "uid",
  "resourceVersion",
  "generation",
  "deletionTimestamp",
  "spec",
  "status",
  "data",
  "template",
  "containers",
  "selector",
  "matchLabels",
  "ports",
  "replicas",
  "tags",
  "conditions",
  "strategy",
  "type",
  "$patch",
  "$setElementOrder/ports",
  "$retainKeys",
  "op",
  "path",
  "value",
  "from",
  "target",
  "involvedObject",
  "__proto__",
  "constructor",
];

const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e300, "", "a", "default", "Bad_", "1", "10m"),
  fc.constantFrom<unknown>("2020-01-01T00:00:00Z", "yesterday", "/spec/replicas", "add", "delete"),
  fc.string({ maxLength: 5 }),
);

const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie("value"), { maxKeys: 5 }),
  ),
}));

const IDENTITIES = [
  {},
  { apiVersion: "v1", kind: "ConfigMap" },
  { apiVersion: "example.com/v1", kind: "Widget" },
  { apiVersion: "apps/v1", kind: "Deployment" },
  { apiVersion: "autoscaling/v1", kind: "Scale" },
];

const object = fc
  .record({
    identity: fc.constantFrom(...IDENTITIES),
    rest: fc.dictionary(fc.constantFrom(...KEYS), json, { maxKeys: 5 }),
    metadata: fc.option(fc.dictionary(fc.constantFrom(...KEYS), json, { maxKeys: 3 })),
  })
  .map(({ identity, rest, metadata }) => {
    const named = metadata && { metadata: { name: "a", ...metadata } };
    return { ...identity, ...rest, ...named };
  });

const body = fc.oneof(
  { weight: 6, arbitrary: object.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: json.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.array(json, { maxLength: 3 }).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.constantFrom("", "{", "[", "null", "a: &a [*a]", "a: 1\na: 2") },
  { weight: 1, arbitrary: fc.constantFrom("[".repeat(5000), '{"a":'.repeat(5000)) },
);

const pointer = fc
  .array(fc.constantFrom(...KEYS, "0", "-", "a"), { maxLength: 4 })
  .map((steps) => steps.map((step) => `/${step}`).join(""));

/** A JSON patch. */
const operations = fc
  .array(
    fc.record({
      op: fc.constantFrom("add", "remove", "replace", "move", "copy", "test"),
      path: pointer,
      from: pointer,
      value: json,
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((list) => JSON.stringify(list));

const target = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(fc.constantFrom(...COLLECTIONS), fc.constantFrom(...TAILS))
      .map(([collection, tail]) => `${collection}${tail}`),
  },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_PATHS) },
);

const path = fc
  .tuple(target, fc.array(fc.constantFrom(...QUERIES), { maxLength: 2 }))
  .map(([to, query]) => (query.length > 0 ? `${to}?${query.join("&")}` : to));

/** What clients must never see of a server, whatever they send it. */
const FAULT = "Internal error occurred: ";
/** The API server itself answers so. */
const MEANT = `${FAULT}the spec replicas field`;

const request = fc.constantFrom(...METHODS).chain((method) =>
  fc.record({
    method: fc.constant(method),
    path,
    headers: fc.record({
      "content-type": fc.constantFrom(...(method === "PATCH" ? PATCHES : TYPES)),
      accept: fc.constantFrom("application/json", "application/json", "*/*", "text/html"),
    }),
    body: method === "PATCH" ? fc.oneof(body, operations) : body,
  }),
);

/** What there is to be changed. */
const OBJECTS: Readonly<Record<string, object>> = {
  [`${CORE}/configmaps`]: { data: { a: "1" } },
  [`${CORE}/pods`]: { spec: { containers: [{ name: "main", image: "app:1" }] } },
  [`${CORE}/services`]: { spec: { ports: [{ port: 80 }] } },
  "/apis/apps/v1/namespaces/default/deployments": {
    spec: {
      selector: { matchLabels: { a: "1" } },
      template: {
        metadata: { labels: { a: "1" } },
        spec: { containers: [{ name: "main", image: "app:1" }] },
      },
    },
  },
  "/apis/example.com/v1/namespaces/default/widgets": {
    apiVersion: "example.com/v1",
    kind: "Widget",
    spec: { replicas: 1, tags: ["x"] },
  },
};

test("no request makes the server fail", async () => {
  const peer = memoryPeer();
  const post = (to: string, sent: object) =>
    peer.request({ method: "POST", path: to, headers: {}, body: JSON.stringify(sent) });
  await post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION);
  await peer.pause();
  const fill = async () => {
    for (const [to, content] of Object.entries(OBJECTS)) {
      await post(to, { metadata: { name: "a" }, ...content });
    }
  };
  await fc.assert(
    fc.asyncProperty(request, async (sent) => {
      await fill();
      const { status, text } = await peer.request(sent);
      const fault = text.includes(FAULT) && !text.includes(MEANT);
      if (fault) throw new Error(`${status} ${text}`);
    }),
    { numRuns: 500 },
  );
  await peer.close();
});

test.each([
  ["..", "may not be '..'"],
  ["%2e%2E", "may not be '..'"],
  [".", "may not be '.'"],
  ["a%25b", "may not contain '%'"],
])("a name that is no part of a path names no object, nor what is above: %s", async (name, why) => {
  const peer = memoryPeer();
  const path = `${CORE}/configmaps/${name}`;
  for (const method of ["GET", "DELETE"]) {
    const { text } = await peer.request({ method, path, headers: {} });
    const message = `Name parameter invalid: ${JSON.stringify(decodeURIComponent(name))}: ${why}`;
    expect(JSON.parse(text)).toMatchObject({ status: "Failure", code: 400, message });
  }
  await peer.close();
});
