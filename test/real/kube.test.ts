import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { kubeRequest, kubeWatch } from "../../local/kube-apiserver/kube-request.ts";
import { type Kube, startKube } from "./kube-apiserver.ts";

/** The first start on a machine builds everything. */
const BUILD_LIMIT_MS = 60 * 60_000;
const TEST_LIMIT_MS = 30_000;

const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const TIDES = "/apis/example.com/v1/namespaces/default/tides";

let kube: Kube;

beforeAll(async () => {
  kube = await startKube({
    authorization: "RBAC",
    audit: true,
    users: [{ name: "ann", token: "ann-token" }],
    progress: (line) => process.stderr.write(`${line}\n`),
  });
}, BUILD_LIMIT_MS);

afterAll(() => kube?.stop());

test("the server reports its version", async () => {
  const { status, body } = await kubeRequest(kube, { path: "/version" });

  expect({ status, version: (body as { gitVersion: string }).gitVersion }).toEqual({
    status: 200,
    version: kube.version,
  });
});

test(
  "a deployment's replicas become available at least 50 ms after it was made, and after it grew",
  async () => {
    const startedAtMs = performance.now();
    await create(DEPLOYMENTS, deployment("web", 2));
    const made = await change(DEPLOYMENTS, "web", ({ object }) => available(object) === 2);
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(50);
    expect(made.status).toMatchObject({
      observedGeneration: 1,
      replicas: 2,
      readyReplicas: 2,
      conditions: [
        { type: "Available", status: "True" },
        { type: "Progressing", status: "True" },
      ],
    });

    const grownAtMs = performance.now();
    await kubeRequest(kube, {
      method: "PATCH",
      path: `${DEPLOYMENTS}/web`,
      contentType: "application/merge-patch+json",
      body: { spec: { replicas: 5 } },
    });
    const grown = await change(DEPLOYMENTS, "web", ({ object }) => available(object) === 5);
    expect(performance.now() - grownAtMs).toBeGreaterThanOrEqual(50);
    expect(grown.status).toMatchObject({ observedGeneration: 2 });
  },
  TEST_LIMIT_MS,
);

test(
  "foreground deletion deletes the children and then ends",
  async () => {
    const parent = await create(DEPLOYMENTS, deployment("parent", 1));
    await create(CONFIG_MAPS, childOf(parent, "child"));
    await kubeRequest(kube, {
      method: "DELETE",
      path: `${DEPLOYMENTS}/parent`,
      body: { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Foreground" },
    });

    await change(DEPLOYMENTS, "parent", ({ type }) => type === "DELETED");
    // The collector may not know of a child this young, and then takes it after the parent.
    await change(CONFIG_MAPS, "child", ({ type }) => type === "DELETED");
  },
  TEST_LIMIT_MS,
);

test(
  "the children of a custom object go with it soon after its kind was made",
  async () => {
    await create(DEFINITIONS, definition());
    await change(DEFINITIONS, "tides.example.com", ({ object }) => established(object));
    const tide = { apiVersion: "example.com/v1", kind: "Tide", metadata: { name: "high" } };
    const owner = await create(TIDES, tide);
    await create(CONFIG_MAPS, childOf(owner, "of-tide"));
    const startedAtMs = performance.now();
    await kubeRequest(kube, { method: "DELETE", path: `${TIDES}/high` });

    await change(CONFIG_MAPS, "of-tide", ({ type }) => type === "DELETED");
    expect(performance.now() - startedAtMs).toBeLessThan(10_000);
  },
  TEST_LIMIT_MS,
);

test("users are told apart by token, and may do nothing under RBAC until a role says so", async () => {
  const ann = await kubeRequest({ ...kube, token: "ann-token" }, { path: CONFIG_MAPS });
  const nobody = await kubeRequest({ ...kube, token: "wrong" }, { path: CONFIG_MAPS });

  expect(ann.status).toBe(403);
  expect((ann.body as { message: string }).message).toContain('User "ann" cannot list');
  expect(nobody.status).toBe(401);
});

test("the audit log names the user of each request", async () => {
  const lines = (await readFile(kube.auditLogPath, "utf8")).trimEnd().split("\n");
  const users = lines.map((line) => (JSON.parse(line) as { user: { username: string } }).user);

  expect(users.map(({ username }) => username)).toEqual(
    expect.arrayContaining(["admin", "ann", "deployment-controller"]),
  );
});

test(
  "a crash and a restart keep the URL and the data",
  async () => {
    await create(CONFIG_MAPS, configMap("kept"));
    await kube.kill();
    await expect(kubeRequest(kube, { path: CONFIG_MAPS })).rejects.toThrow("ECONNREFUSED");
    await kube.restart();

    expect(await kubeRequest(kube, { path: `${CONFIG_MAPS}/kept` })).toMatchObject({ status: 200 });
  },
  TEST_LIMIT_MS,
);

test(
  "paged lists and watches from before a compaction and a restart end with 410",
  async () => {
    const first = await kubeRequest(kube, { path: "/api/v1/namespaces?limit=1" });
    const { metadata } = first.body as { metadata: { continue: string; resourceVersion: string } };
    await create(CONFIG_MAPS, configMap("later"));
    await kube.compact();
    await kube.restart();

    const next = `/api/v1/namespaces?continue=${encodeURIComponent(metadata.continue)}`;
    expect(await kubeRequest(kube, { path: next })).toMatchObject({ status: 410 });
    const watch = `${CONFIG_MAPS}?watch=1&resourceVersion=${metadata.resourceVersion}`;
    const { value } = await kubeWatch(kube, { path: watch }).next();
    expect(value).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
  },
  TEST_LIMIT_MS,
);

interface Seen {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly apiVersion: string;
  readonly kind: string;
  readonly status?: Record<string, unknown>;
}

interface Change {
  readonly type: string;
  readonly object: Seen;
}

async function create(path: string, body: unknown): Promise<Seen> {
  const answer = await kubeRequest(kube, { method: "POST", path, body });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as Seen;
}

/** Resolves to the object of the first change that matches, or to one that is already so. */
async function change(path: string, name: string, matches: (change: Change) => boolean) {
  const selector = `fieldSelector=metadata.name%3D${name}`;
  const list = await kubeRequest(kube, { path: `${path}?${selector}` });
  const { items, metadata } = list.body as {
    items: Seen[];
    metadata: { resourceVersion: string };
  };
  const [now] = items;
  const past = { type: now ? "ADDED" : "DELETED", object: now ?? ({} as Seen) };
  if (matches(past)) return past.object;

  const query = `watch=1&${selector}&resourceVersion=${metadata.resourceVersion}`;
  for await (const line of kubeWatch(kube, { path: `${path}?${query}` })) {
    if (matches(line as Change)) return (line as Change).object;
  }
  throw new Error(`the watch of ${path} ended before ${name} was as expected`);
}

function deployment(name: string, replicas: number) {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } },
    },
  };
}

function childOf({ apiVersion, kind, metadata }: Seen, name: string) {
  const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid };
  const ownerReferences = [{ ...owner, controller: true, blockOwnerDeletion: true }];
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ownerReferences } };
}

function configMap(name: string) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name } };
}

function definition() {
  const openAPIV3Schema = { type: "object" };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "tides.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "tides", singular: "tide", kind: "Tide" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

function available({ status }: Seen): unknown {
  return status?.availableReplicas;
}

function established({ status }: Seen): boolean {
  const conditions = (status?.conditions ?? []) as { type: string; status: string }[];
  return conditions.some(({ type, status }) => type === "Established" && status === "True");
}
