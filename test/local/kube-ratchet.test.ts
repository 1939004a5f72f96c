import { expect, test } from "@jest/globals";
import { memoryPeer } from "./kube-peer.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const THINGS = "/apis/example.com/v1/namespaces/default/things";

function definition(spec: object, resourceVersion?: string) {
  const openAPIV3Schema = { type: "object", properties: { spec: { type: "object", ...spec } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com", resourceVersion },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

test("an object that a new schema makes invalid, and shorter, can be changed elsewhere", async () => {
  const peer = memoryPeer();
  const call = async (method: string, path: string, body?: object) => {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await peer.request({ method, path, headers: { "content-type": type }, ...text });
    return JSON.parse(answer.text) as { metadata: { resourceVersion: string } };
  };
  const before = { a: { type: "string" }, gone: { type: "integer" } };
  await call("POST", DEFINITIONS, definition({ properties: before }));
  const thing = { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "a" } };
  await call("POST", THINGS, { ...thing, spec: { a: "x", gone: 1 } });
  const path = `${DEFINITIONS}/things.example.com`;
  const { resourceVersion } = (await call("GET", path)).metadata;
  const after = { properties: { a: before.a, z: before.a }, required: ["z"] };
  await call("PUT", path, definition(after, resourceVersion));
  expect(await call("PATCH", `${THINGS}/a`, { metadata: { finalizers: ["a.b/c"] } })).toMatchObject(
    {
      metadata: { finalizers: ["a.b/c"] },
      spec: { a: "x" },
    },
  );
  expect(await call("PATCH", `${THINGS}/a`, { spec: { a: "y" } })).toMatchObject({
    message: 'Thing.example.com "a" is invalid: spec.z: Required value',
  });
  await peer.close();
});
