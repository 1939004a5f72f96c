import { expect, test } from "@jest/globals";
import type { Peer } from "../contract/kube/harness/peer.ts";
import { memoryPeer } from "./kube-peer.ts";

// What the contract cannot compare: where this server is not like kube-apiserver, or has no
// controllers that take their time.

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const THINGS = "/apis/example.com/v1/things";
const JSON_BODY = { "content-type": "application/json", accept: "application/json" };

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Record<string, unknown>;
}

function definition(schema: object = {}, spec: object = {}) {
  const version = {
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: "object", ...schema } },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      names: { plural: "things", kind: "Thing" },
      scope: "Cluster",
      versions: [version],
      ...spec,
    },
  };
}

const thing = (name: string, more: object = {}) => ({
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name, ...more },
});

async function send(peer: Peer, method: string, path: string, body?: object): Promise<Answer> {
  const text = body && JSON.stringify(body);
  const request = { method, path, headers: JSON_BODY, ...(text && { body: text }) };
  const answer = await peer.request(request);
  return { ...answer, body: parsed(answer.text) };
}

function parsed(text: string): Record<string, unknown> {
  return text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : { text };
}

test("a definition is served to the next request", async () => {
  const peer = memoryPeer();
  expect((await send(peer, "POST", CRDS, definition())).status).toBe(201);
  expect((await send(peer, "POST", THINGS, thing("a"))).status).toBe(201);
  expect((await send(peer, "GET", "/apis/example.com/v1")).status).toBe(200);
  await peer.close();
});

/** The warning of a definition with that rule. */
async function warningOf(rule: string): Promise<string | undefined> {
  const peer = memoryPeer();
  const rules = { "x-kubernetes-validations": [{ rule }] };
  const answer = await send(peer, "POST", CRDS, definition(rules));
  expect(answer.status).toBe(201);
  await peer.close();
  return answer.headers.warning;
}

test("rules that are right, but not evaluated, are told as a warning", async () => {
  expect(await warningOf("self.metadata.name != 'a'")).toBeUndefined();
  expect(await warningOf("[?self.?kind].size() == 1")).toMatch(/not evaluated.*optional entries/);
});

test("a rule that is not evaluated refuses nothing", async () => {
  const peer = memoryPeer();
  const rules = { "x-kubernetes-validations": [{ rule: "[?self.?kind].size() == 5" }] };
  await send(peer, "POST", CRDS, definition(rules));
  expect((await send(peer, "POST", THINGS, thing("a"))).status).toBe(201);
  await peer.close();
});

test("a rule that goes on for too long is ended, and refuses the object", async () => {
  const peer = memoryPeer();
  const long = "lists.range(2000).all(x, lists.range(2000).all(y, x + y >= 0))";
  await send(peer, "POST", CRDS, definition({ "x-kubernetes-validations": [{ rule: long }] }));
  const answer = await send(peer, "POST", THINGS, thing("a"));
  expect(answer.status).toBe(422);
  expect(answer.body.message).toMatch(/actual cost limit exceeded/);
  await peer.close();
});

test("a definition that converts by a webhook is refused, since none is called", async () => {
  const peer = memoryPeer();
  const webhook = {
    clientConfig: { url: "https://converter.example.com/" },
    conversionReviewVersions: ["v1"],
  };
  const conversion = { strategy: "Webhook", webhook };
  const answer = await send(peer, "POST", CRDS, definition({}, { conversion }));
  expect(answer.status).toBe(422);
  expect(answer.body.message).toMatch(/does not call webhooks/);
  await peer.close();
});

test("a watch of custom resources tells the last deletion, and ends with their definition", async () => {
  const peer = memoryPeer();
  await send(peer, "POST", CRDS, definition());
  await send(peer, "POST", THINGS, thing("a"));
  await send(peer, "POST", THINGS, thing("b", { finalizers: ["example.com/hold"] }));
  const watch = await peer.stream({
    method: "GET",
    path: `${THINGS}?watch=true`,
    headers: JSON_BODY,
  });
  await send(peer, "DELETE", `${CRDS}/things.example.com`);
  const released = { metadata: { finalizers: null } };
  await peer.request({
    method: "PATCH",
    path: `${THINGS}/b`,
    headers: { ...JSON_BODY, "content-type": "application/merge-patch+json" },
    body: JSON.stringify(released),
  });
  const told: string[] = [];
  for await (const line of watch.lines) {
    const { type, object } = JSON.parse(line) as {
      type: string;
      object: { metadata: { name: string } };
    };
    told.push(`${type} ${object.metadata.name}`);
  }
  expect(told.at(-1)).toBe("DELETED b");
  expect(told).toContain("DELETED a");
  await peer.close();
});

test("a definition waits for its last object, which holds it", async () => {
  const peer = memoryPeer();
  await send(peer, "POST", CRDS, definition());
  await send(peer, "POST", THINGS, thing("a", { finalizers: ["example.com/hold"] }));
  await send(peer, "DELETE", `${CRDS}/things.example.com`);
  const { body } = await send(peer, "GET", `${CRDS}/things.example.com`);
  const { conditions } = body.status as { conditions: readonly { type: string; reason: string }[] };
  const { reason } = conditions.find(({ type }) => type === "Terminating") ?? {};
  expect(reason).toBe("InstanceDeletionInProgress");
  expect((await send(peer, "POST", THINGS, thing("b"))).status).toBe(403);
  await peer.close();
});
