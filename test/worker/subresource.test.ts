import { expect, test } from "@jest/globals";
import { type Controller, defineController } from "../../shared/api/controller.ts";
import { Deployment, Pod, ServiceAccount } from "../../shared/api/kinds.ts";
import type { KubernetesObject } from "../../shared/api/object.ts";
import { watch } from "../../shared/api/source.ts";
import { useSubresource } from "../../shared/api/use.ts";
import type { KubeRequest, KubeResponse, Transport } from "../../shared/kube/wire.ts";
import { fingerprintsOf } from "../../shared/queue/fingerprint.ts";
import { identityOf } from "../../shared/queue/identity.ts";
import { decodeSeen } from "../../shared/queue/seen.ts";
import type { AnyClient } from "../../shared/worker/context-client.ts";
import { Site, site, WorkerHost } from "../support/worker-host.ts";

const controller = defineController({
  name: "site",
  for: Site,
  watches: [watch(Deployment, { keys: () => [] }), watch(Pod, { keys: () => [] })],
  uses: [
    useSubresource(Deployment, "scale", "get", "patch", "update"),
    useSubresource(Pod, "status", "get", "patch"),
    useSubresource(Pod, "eviction", "create"),
    useSubresource(ServiceAccount, "token", "create"),
  ],
}) as unknown as Controller;

const named = (kind: string, name: string) => ({
  apiVersion: kind === "Deployment" ? "apps/v1" : "v1",
  kind,
  metadata: { namespace: "a", name },
});

interface Stage {
  readonly host: WorkerHost;
  /** All calls to subresources that the fake cluster does not have, with their bodies. */
  readonly calls: KubeRequest[];
}

/** A worker whose cluster also answers `scale` of Deployments, as `answer` says. */
function stage(
  reconcile: (client: AnyClient) => Promise<unknown>,
  answer?: (request: KubeRequest) => KubeResponse,
): Stage {
  const calls: KubeRequest[] = [];
  const transport: Transport = {
    request: async (request) => {
      if (!/\/(scale|eviction|token)$/.test(request.path)) return host.cluster.request(request);
      calls.push(request);
      return answer ? answer(request) : scaleOf(host, request.method);
    },
    stream: (request) => host.cluster.stream(request),
    close: () => {},
  };
  const host: WorkerHost = new WorkerHost(
    {
      reconcile: async (_site: never, { client }: { client: AnyClient }) =>
        void (await reconcile(client)),
    },
    { controller, transport },
  );
  host.cluster.apply(site());
  host.cluster.apply(named("Pod", "p"));
  host.cluster.apply({ ...named("Deployment", "web"), spec: { replicas: 1 } });
  return { host, calls };
}

/** The Scale of the Deployment, which a write has made two. */
function scaleOf(host: WorkerHost, method: string): KubeResponse {
  const replicas = method === "GET" ? 1 : 2;
  if (replicas === 2) host.cluster.apply({ ...named("Deployment", "web"), spec: { replicas } });
  const { metadata } = deployment(host);
  const { name, namespace, uid, resourceVersion } = metadata;
  const scale = { apiVersion: "autoscaling/v1", kind: "Scale", spec: { replicas } };
  return answered({ ...scale, metadata: { name, namespace, uid, resourceVersion } });
}

function answered(body: unknown, status = 200): KubeResponse {
  return { status, headers: { "content-type": "application/json" }, body };
}

function deployment(host: WorkerHost): KubernetesObject {
  return host.cluster.get(Deployment, { namespace: "a", name: "web" }) as KubernetesObject;
}

/** What the record says of an object: its state, that its state is not known, or nothing. */
function seen(host: WorkerHost, object: KubernetesObject): "known" | "unknown" | "absent" {
  const bytes = host.record().seen;
  const decoded = bytes && decodeSeen(bytes);
  const identity = identityOf(object, object.metadata);
  if (!decoded || ![...decoded.identities()].includes(identity)) return "absent";
  const fingerprint = fingerprintsOf(controller)(object)?.(object) ?? "";
  return decoded.has(identity, fingerprint) ? "known" : "unknown";
}

test("the scale of an object can be read, replaced and patched, and its echo leads to a run", async () => {
  const replicas: unknown[] = [];
  const { host, calls } = stage(async (client) => {
    await client.get(Deployment, "web");
    const scales = client.subresource(Deployment, "scale");
    const scale = await scales.get("web");
    if (scale) await scales.update(scale);
    replicas.push(scale, await scales.patch("web", { type: "merge", patch: { spec: {} } }));
  });
  expect(await host.run()).toEqual([]);
  expect(replicas).toMatchObject([{ spec: { replicas: 1 } }, { spec: { replicas: 2 } }]);
  const path = "/apis/apps/v1/namespaces/a/deployments/web/scale";
  expect(calls.map((call) => `${call.method} ${call.path}`)).toEqual([
    `GET ${path}`,
    `PUT ${path}`,
    `PATCH ${path}`,
  ]);
  expect(calls[1]).toMatchObject({
    body: { apiVersion: "autoscaling/v1", kind: "Scale" },
    query: { fieldManager: "site" },
  });
  expect(seen(host, deployment(host))).toBe("unknown");
});

test.each([
  ["read", (client: AnyClient) => client.subresource(Deployment, "scale").get("web")],
  [
    "patched",
    (client: AnyClient) =>
      client.subresource(Deployment, "scale").patch("web", { type: "merge", patch: {} }),
  ],
])(
  "an object of which only the scale was %s is not left out: its deletion must be found",
  async (_how, reconcile) => {
    const { host } = stage(reconcile);
    await host.run();
    expect(seen(host, deployment(host))).toBe("unknown");
  },
);

test("a status that was read is seen as its object is, and one that was written is unknown", async () => {
  let write = false;
  const { host } = stage(async (client) => {
    const status = client.subresource(Pod, "status");
    await status.get("p");
    if (write)
      await status.patch("p", { type: "merge", patch: { status: { message: "drained" } } });
  });
  const pod = () => host.cluster.get(Pod, { namespace: "a", name: "p" }) as Pod;
  await host.run();
  expect(seen(host, pod())).toBe("known");
  write = true;
  await host.run();
  expect(pod().status).toEqual({ message: "drained" });
  expect(seen(host, pod())).toBe("unknown");
});

test("what is asked for is sent with its own kind, beside the name", async () => {
  const { host, calls } = stage(
    async (client) => {
      await client.subresource(Pod, "eviction").create("p", {});
      const spec = { audiences: ["api"] };
      await client.subresource(ServiceAccount, "token").create("robot", { spec });
    },
    () => answered({ apiVersion: "v1", kind: "Status", metadata: {}, status: "Success" }, 201),
  );
  expect(await host.run()).toEqual([]);
  expect(calls).toMatchObject([
    {
      method: "POST",
      path: "/api/v1/namespaces/a/pods/p/eviction",
      body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p", namespace: "a" } },
    },
    {
      method: "POST",
      path: "/api/v1/namespaces/a/serviceaccounts/robot/token",
      body: { apiVersion: "authentication.k8s.io/v1", spec: { audiences: ["api"] } },
    },
  ]);
});

test("a write to the scale of a watched kind counts as one that wakes the object itself, and is named", async () => {
  const { host } = stage((client) =>
    client.subresource(Deployment, "scale").patch("web", { type: "merge", patch: {} }),
  );
  for (let run = 0; run < 12; run += 1) await host.run();
  const told = host.logs.find(({ fields }) => JSON.stringify(fields).includes("Deployment web"));
  expect(told?.fields).toMatchObject({ fields: ["Deployment web: scale"] });
});

test.each([
  ["Deployment", "status", "get", 'uses: [useSubresource(Deployment, "status", "get")]'],
  ["Deployment", "scale", "create", 'uses: [useSubresource(Deployment, "scale", "create")]'],
] as const)(
  "%s/%s is refused to %s where it is not declared, by its own name",
  async (_kind, subresource, verb, text) => {
    const errors: string[] = [];
    const { host, calls } = stage(async (client) => {
      const call = client.subresource(Deployment, subresource)[verb];
      await call("web", {} as never).catch((error: Error) => errors.push(error.message));
    });
    await host.run();
    expect(errors).toEqual([expect.stringContaining(text)]);
    expect(calls).toEqual([]);
  },
);

test("a grant on a subresource is none on the object", async () => {
  const errors: string[] = [];
  const { host } = stage((client) =>
    client
      .patch(Deployment, "web", { type: "merge", patch: {} })
      .catch((error: Error) => errors.push(error.message)),
  );
  await host.run();
  expect(errors).toEqual([expect.stringContaining('uses: [use(Deployment, "patch")]')]);
});

test("a role that lacks the subresource is told in the words of the definition", async () => {
  const { host } = stage(
    (client) => client.subresource(Deployment, "scale").get("web"),
    () => answered({ kind: "Status", reason: "Forbidden", code: 403, message: "no" }, 403),
  );
  await host.run();
  expect(host.logs.map(({ fields }) => fields?.rule)).toContain(
    'may not get deployments/scale in namespace a, which uses: [useSubresource(Deployment, "scale", "get")] asks for: deploy the roles of controller site again',
  );
});

test.each(["", "Scale", "pods/scale"])("rejects %p as the name of a subresource", (name) => {
  expect(() => useSubresource(Deployment, name, "get")).toThrow(/expected a name such as "scale"/);
});
