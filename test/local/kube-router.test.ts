import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { memoryPeer } from "./kube-peer.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PURGE", ""];
const ROOTS = ["/api", "/api/v1", "/apis", "/apis/apps/v1", "/apis/example.com/v1", "/openapi/v3"];
const PLURALS = [
  "configmaps",
  "pods",
  "services",
  "deployments",
  "widgets",
  "namespaces",
  "events",
  "nothings",
];
const PARTS = ["namespaces/default", "a", "status", "scale", "binding", "%", "%2e%2e", "", "x/y"];
const TYPES = [
  "application/json",
  "application/yaml",
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
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

const kinds = fc.constantFrom(
  { apiVersion: "v1", kind: "ConfigMap" },
  { apiVersion: "v1", kind: "Pod" },
  { apiVersion: "v1", kind: "Service" },
  { apiVersion: "v1", kind: "Namespace" },
  { apiVersion: "v1", kind: "Event" },
  { apiVersion: "apps/v1", kind: "Deployment" },
  { apiVersion: "example.com/v1", kind: "Widget" },
  { apiVersion: "autoscaling/v1", kind: "Scale" },
  {},
);

const object = fc
  .tuple(kinds, fc.dictionary(fc.constantFrom(...KEYS), json, { maxKeys: 5 }), fc.boolean())
  .map(([kind, rest, named]) => ({ ...kind, ...rest, ...(named && { metadata: { name: "a" } }) }));

const body = fc.oneof(
  { weight: 6, arbitrary: object.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: json.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.array(json, { maxLength: 3 }).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.constantFrom("", "{", "[", "null", "a: &a [*a]", "a: 1\na: 2") },
  { weight: 1, arbitrary: fc.constantFrom("[".repeat(5000), '{"a":'.repeat(5000)) },
);

const path = fc
  .tuple(
    fc.constantFrom(...ROOTS),
    fc.constantFrom("", "/namespaces/default", "/namespaces/none"),
    fc.constantFrom(...PLURALS),
    fc.array(fc.constantFrom(...PARTS), { maxLength: 2 }),
    fc.array(fc.constantFrom(...QUERIES), { maxLength: 3 }),
  )
  .map(([root, namespace, plural, parts, query]) => {
    const tail = parts.map((part) => `/${part}`).join("");
    return `${root}${namespace}/${plural}${tail}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  });

/** What clients must never see of a server, whatever they send it. */
const FAULT = "Internal error occurred: ";
/** The API server itself answers so. */
const MEANT = `${FAULT}the spec replicas field`;

test("no request makes the server fail", async () => {
  const peer = memoryPeer();
  const made = await peer.request({
    method: "POST",
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    headers: {},
    body: JSON.stringify(DEFINITION),
  });
  expect(made.status).toBe(201);
  await peer.pause();
  const request = fc.record({
    method: fc.constantFrom(...METHODS),
    path,
    headers: fc.record({
      "content-type": fc.constantFrom(...TYPES),
      accept: fc.constantFrom("application/json", "*/*", "text/html", ""),
    }),
    body,
  });
  await fc.assert(
    fc.asyncProperty(request, async (sent) => {
      const { status, text } = await peer.request(sent);
      const fault = text.includes(FAULT) && !text.includes(MEANT);
      if (fault) throw new Error(`${status} ${text}`);
    }),
    { numRuns: 2000 },
  );
  await peer.close();
});
