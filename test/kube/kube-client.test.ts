import { expect, test } from "@jest/globals";
import { ClusterRole, ConfigMap, Deployment, defineKind, Secret } from "../../shared/api/index.ts";
import type { KubernetesObject } from "../../shared/api/object.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import { client, failureOf, type Got, loopback } from "./loopback.ts";

const Website = defineKind<KubernetesObject<"web.example.com/v1", "Website">>({
  apiVersion: "web.example.com/v1",
  kind: "Website",
  plural: "websites",
  scope: "Namespaced",
});
const web = { namespace: "default", name: "web" };
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** A client of a server that gives this answer to all. */
async function against(act: (got: Got) => void) {
  const server = await loopback(act);
  const transport = client(server);
  return {
    server,
    kube: createKubeClient(transport),
    /** Method and URL of each request. */
    asked: () => server.got.map(({ method, url }) => `${method} ${url}`),
    body: (index: number) => JSON.parse(server.got[index]?.body ?? "null") as unknown,
    type: (index: number) => server.got[index]?.headers["content-type"],
    [Symbol.asyncDispose]: async () => {
      transport.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
const answers = (status: number, body: object) => (got: Got) => got.answer(status, body);
const stored = { metadata: { name: "web", namespace: "default", uid: "u", resourceVersion: "1" } };

test("get reads one object, of a group or of the core, in a namespace or of the cluster", async () => {
  await using t = await against(answers(200, stored));

  expect(await t.kube.get(Deployment, web)).toEqual(stored);
  await t.kube.get(ConfigMap, web);
  await t.kube.get(ClusterRole, { namespace: "", name: "system:node" });
  await t.kube.get(Deployment, web, { subresource: "scale" });

  expect(t.asked()).toEqual([
    "GET /apis/apps/v1/namespaces/default/deployments/web",
    "GET /api/v1/namespaces/default/configmaps/web",
    "GET /apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode",
    "GET /apis/apps/v1/namespaces/default/deployments/web/scale",
  ]);
});

test("names of 253 characters arrive whole", async () => {
  await using t = await against(answers(200, stored));
  const name = "a".repeat(253);

  await t.kube.get(ConfigMap, { namespace: "n".repeat(63), name });

  expect(t.asked()).toEqual([`GET /api/v1/namespaces/${"n".repeat(63)}/configmaps/${name}`]);
});

test.each(["", ".", "..", "a/status", "a%2fb"])(
  "refuses the name %j, which would lead elsewhere",
  async (name) => {
    await using t = await against(answers(200, stored));

    await expect(t.kube.delete(ConfigMap, { namespace: "default", name })).rejects.toThrow(
      "cannot address an object",
    );
    expect(t.asked()).toEqual([]);
  },
);

test("refuses a namespaced object without its namespace", async () => {
  await using t = await against(answers(200, stored));

  await expect(t.kube.get(ConfigMap, { namespace: "", name: "web" })).rejects.toThrow(
    "cannot address ConfigMap web: expected a namespace, got none",
  );
  await expect(t.kube.create(ConfigMap, "", {})).rejects.toThrow("expected a namespace");
});

test("get resolves to undefined where the object is absent, and rejects where the kind is", async () => {
  const details = { name: "web", kind: "websites", group: "web.example.com" };
  await using absent = await against(answers(404, { reason: "NotFound", details }));
  await using unserved = await against(({ response }) => {
    response.writeHead(404, { "content-type": "text/plain; charset=utf-8" });
    response.end("404 page not found\n");
  });

  expect(await absent.kube.get(Website, web)).toBeUndefined();
  expect(await absent.kube.delete(Website, web)).toBe(false);
  for (const call of [unserved.kube.get(Website, web), unserved.kube.delete(Website, web)]) {
    expect((await failureOf(call)).message).toContain(
      'Website default/web: the API server answered 404: 404 page not found; the kind is not served: check plural "websites" and version web.example.com/v1, or install its CustomResourceDefinition',
    );
  }
});

test("a write to a subresource that is answered 404 says that the kind may not have it", async () => {
  const details = { name: "web", kind: "websites", group: "web.example.com" };
  const message = 'websites.web.example.com "web" not found';
  await using t = await against(answers(404, { reason: "NotFound", message, details }));

  const apply = t.kube.apply(Website, web, {}, { fieldManager: "website", subresource: "status" });

  await expect(apply).rejects.toThrow(
    'cannot apply status of Website default/web: the API server answered 404 NotFound: websites.web.example.com "web" not found; it is gone, or Website has no subresource "status": check its CustomResourceDefinition',
  );
});

test("create, update, patch, apply and delete send what they should", async () => {
  await using t = await against(answers(200, stored));
  const manager = { fieldManager: "website" };

  await t.kube.create(ConfigMap, "default", {
    metadata: { generateName: "web-" },
    data: { a: "1" },
  });
  await t.kube.create(
    ConfigMap,
    "default",
    { metadata: { name: "web" } },
    { subresource: "token" },
  );
  await t.kube.update(ConfigMap, web, stored, { dryRun: true, fieldValidation: "Strict" });
  await t.kube.patch(ConfigMap, web, { type: "json", patch: [{ op: "remove", path: "/data" }] });
  await t.kube.patch(ConfigMap, web, { type: "merge", patch: { data: null } }, manager);
  await t.kube.patch(Deployment, web, { type: "strategic", patch: {} });
  await t.kube.apply(Website, web, { spec: {} }, { ...manager, force: true });
  await t.kube.apply(Website, web, {}, { ...manager, subresource: "status" });
  await t.kube.delete(ConfigMap, web, {
    propagation: "Foreground",
    uid: "u",
    resourceVersion: "7",
  });
  await t.kube.delete(ConfigMap, web);

  const maps = "/api/v1/namespaces/default/configmaps";
  const sites = "/apis/web.example.com/v1/namespaces/default/websites";
  expect(t.asked()).toEqual([
    `POST ${maps}`,
    `POST ${maps}/web/token`,
    `PUT ${maps}/web?fieldValidation=Strict&dryRun=All`,
    `PATCH ${maps}/web`,
    `PATCH ${maps}/web?fieldManager=website`,
    "PATCH /apis/apps/v1/namespaces/default/deployments/web",
    `PATCH ${sites}/web?force=true&fieldManager=website`,
    `PATCH ${sites}/web/status?fieldManager=website`,
    `DELETE ${maps}/web`,
    `DELETE ${maps}/web`,
  ]);
  expect([3, 4, 5, 6].map(t.type)).toEqual([
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
  ]);
  expect(t.body(0)).toEqual({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "default", generateName: "web-" },
    data: { a: "1" },
  });
  expect(t.body(3)).toEqual([{ op: "remove", path: "/data" }]);
  expect(t.body(6)).toEqual({
    apiVersion: "web.example.com/v1",
    kind: "Website",
    metadata: { namespace: "default", name: "web" },
    spec: {},
  });
  const options = { apiVersion: "v1", kind: "DeleteOptions" };
  expect(t.body(8)).toEqual({
    ...options,
    propagationPolicy: "Foreground",
    preconditions: { uid: "u", resourceVersion: "7" },
  });
  expect(t.body(9)).toEqual({ ...options, propagationPolicy: "Background" });
});

test("B45: what is sent holds every key, known or not", async () => {
  await using t = await against(answers(200, stored));
  const schema = {
    "x-kubernetes-int-or-string": true,
    "x-kubernetes-validations": [{ rule: "self > 0" }],
    since: "2026-01-01T00:00:00.000000Z",
  };

  await t.kube.apply(Website, web, { spec: { schema } }, { fieldManager: "website" });

  expect(t.body(0)).toMatchObject({ spec: { schema } });
});

test("apply tells whether it created", async () => {
  await using created = await against(answers(201, stored));
  await using changed = await against(answers(200, stored));
  const options = { fieldManager: "website" };

  expect(await created.kube.apply(Website, web, {}, options)).toEqual({
    object: stored,
    created: true,
  });
  expect((await changed.kube.apply(Website, web, {}, options)).created).toBe(false);
});

test("managedFields and the last-applied annotation are dropped from what comes", async () => {
  const metadata = {
    ...stored.metadata,
    managedFields: [{ manager: "kubectl" }],
    annotations: { [LAST_APPLIED]: "{}", team: "a" },
  };
  const bare = { ...stored.metadata, annotations: { [LAST_APPLIED]: "{}" } };
  await using t = await against(({ url, answer }) =>
    answer(
      200,
      url.endsWith("/web") ? { metadata } : { items: [{ metadata }, { metadata: bare }] },
    ),
  );
  const clean = { ...stored.metadata, annotations: { team: "a" } };

  expect(await t.kube.get(ConfigMap, web)).toEqual({ metadata: clean });
  expect(await t.kube.list(ConfigMap)).toEqual([
    { apiVersion: "v1", kind: "ConfigMap", metadata: clean },
    { apiVersion: "v1", kind: "ConfigMap", metadata: stored.metadata },
  ]);
});

test("an update puts back the last-applied annotation of the version that it replaces", async () => {
  const metadata = { ...stored.metadata, annotations: { [LAST_APPLIED]: '{"spec":1}' } };
  await using t = await against(({ answer }) => answer(200, { metadata }));

  const read = await t.kube.get(ConfigMap, web);
  await t.kube.update(ConfigMap, web, {
    ...read,
    metadata: { ...read?.metadata, labels: { a: "1" } },
  });
  await t.kube.update(ConfigMap, web, { metadata: { ...read?.metadata, resourceVersion: "2" } });

  expect(t.body(1)).toMatchObject({ metadata: { ...metadata, labels: { a: "1" } } });
  expect(t.body(2)).not.toHaveProperty("metadata.annotations");
});

test("rejects a conflict with a ConflictError, and tells what was asked", async () => {
  const message = 'Operation cannot be fulfilled on configmaps "web": the object has been modified';
  await using t = await against(answers(409, { reason: "Conflict", message }));

  expect(await failureOf(t.kube.update(ConfigMap, web, stored))).toMatchObject({
    name: "ConflictError",
    status: 409,
    reason: "Conflict",
    action: "update ConfigMap default/web",
    message: `cannot update ConfigMap default/web: the API server answered 409 Conflict: ${message}`,
  });
});

test("a refusal names verb and resource", async () => {
  const message = 'deployments.apps "web" is forbidden';
  await using t = await against(answers(403, { reason: "Forbidden", message }));

  await expect(t.kube.list(Deployment)).rejects.toThrow(
    `cannot list Deployment in all namespaces: the API server answered 403 Forbidden: ${message}; grant it the verb list on deployments of apps`,
  );
  const options = { fieldManager: "a", subresource: "status" };
  await expect(t.kube.apply(Deployment, web, {}, options)).rejects.toThrow(
    "grant it the verb patch on deployments/status of apps",
  );
  await expect(t.kube.apply(Deployment, web, {}, { fieldManager: "a" })).rejects.toThrow(
    "grant it the verbs create and patch on deployments of apps",
  );
});

test.each([400, 422, 500])(
  "of a Secret that is refused with %i, nothing is quoted",
  async (status) => {
    const message = '.data.password: expected string, got &value{Value:"hunter2"}';
    const causes = [{ field: "data.password", reason: "FieldValueInvalid", message }];
    const body = { reason: "Invalid", message, details: { name: "web", causes } };
    await using t = await against(answers(status, body));

    const secret = await failureOf(t.kube.create(Secret, "default", stored));
    const other = await failureOf(t.kube.create(ConfigMap, "default", stored));

    expect(secret.message).toBe(
      `cannot create Secret default/web: the API server answered ${status} Invalid: its message about data.password is left out, for it may quote the object`,
    );
    expect(JSON.stringify(secret) + secret.stack).not.toContain("hunter2");
    expect(other.message).toContain("hunter2");
  },
);

test("rejects a page of something that is no Kubernetes API", async () => {
  await using t = await against(({ response }) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<html>");
  });

  await expect(t.kube.get(ConfigMap, web)).rejects.toThrow(
    "cannot get ConfigMap default/web: expected an object, got 200 with text/html",
  );
  await expect(t.kube.list(ConfigMap)).rejects.toThrow("cannot list ConfigMap: expected a list");
});
