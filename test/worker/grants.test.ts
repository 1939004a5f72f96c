import { expect, test } from "@jest/globals";
import { type Controller, defineController } from "../../shared/api/controller.ts";
import { ConfigMap, Deployment, Namespace, Secret } from "../../shared/api/kinds.ts";
import type { Kind } from "../../shared/api/object.ts";
import { watch } from "../../shared/api/source.ts";
import { use, useSubresource } from "../../shared/api/use.ts";
import { Site, site, WorkerHost } from "../support/worker-host.ts";

/** As code without types sees it. */
interface AnyContext {
  readonly apply: (kind: Kind, object: object, options?: object) => Promise<unknown>;
  readonly client: Record<
    "get" | "list" | "create" | "patch",
    (kind: Kind, ...args: unknown[]) => Promise<unknown>
  >;
}

/** The messages of what one run is refused, and its host. */
async function refusals(
  options: object,
  ...calls: ((context: AnyContext) => Promise<unknown>)[]
): Promise<{ errors: string[]; host: WorkerHost }> {
  const errors: string[] = [];
  const reconcile = async (_site: never, context: never) => {
    for (const call of calls) {
      await call(context as unknown as AnyContext).catch((error: Error) =>
        errors.push(error.message),
      );
    }
  };
  const controller = defineController({ name: "site", for: Site, ...options }) as Controller;
  const host = new WorkerHost({ reconcile }, { controller });
  host.cluster.apply(site());
  await host.run();
  return { errors, host };
}

const namespace = { metadata: { name: "made" } };

test("a kind of applies is applied without an owner, bearing the controller's label", async () => {
  const { errors, host } = await refusals({ applies: [Namespace] }, ({ apply }) =>
    apply(Namespace, namespace, { owner: false }),
  );
  expect(errors).toEqual([]);
  const made = host.cluster.get(Namespace, { namespace: "", name: "made" });
  expect(made?.metadata).toMatchObject({ labels: { "tidegate.dev/controller": "site" } });
  expect(made?.metadata.ownerReferences).toBeUndefined();
});

test("fails when a kind of applies is to be owned, or an applied kind is not declared", async () => {
  const { errors, host } = await refusals(
    { applies: [Namespace] },
    ({ apply }) => apply(Namespace, namespace),
    ({ apply }) => apply(ConfigMap, { metadata: { name: "c" } }, { owner: false }),
  );
  expect(errors).toEqual([
    "cannot apply Namespace: expected { owner: false } for a kind of applies, got an owner; pass it, or add owns: [Namespace]",
    "cannot apply ConfigMap: expected a kind that controller site owns; add owns: [ConfigMap]",
  ]);
  expect(host.writes()).toEqual([]);
});

test("fails when a call is outside the controller's namespaces, for its roles are of those alone", async () => {
  const elsewhere = { namespace: "b", name: "c" };
  const { errors, host } = await refusals(
    {
      namespaces: ["a", "x"],
      owns: [ConfigMap],
      uses: [use(Secret, "list"), use(Namespace, "get")],
    },
    ({ client }) => client.get(ConfigMap, elsewhere),
    ({ client }) => client.create(ConfigMap, { metadata: elsewhere }),
    ({ client }) => client.list(Secret, { namespace: "" }),
    ({ apply }) => apply(ConfigMap, { metadata: elsewhere }, { owner: false }),
    ({ client }) => client.get(ConfigMap, { namespace: "x", name: "c" }),
    ({ client }) => client.get(Namespace, "b"),
  );
  const expected = "expected one of the namespaces of controller site (a, x), got";
  expect(errors).toEqual([
    `cannot get ConfigMap: ${expected} namespace b; add it to namespaces`,
    `cannot create ConfigMap: ${expected} namespace b; add it to namespaces`,
    `cannot list Secret: ${expected} all namespaces; add it to namespaces`,
    `cannot patch ConfigMap: ${expected} namespace b; add it to namespaces`,
  ]);
  expect(host.writes()).toEqual([]);
});

test("a watch of one object by its name lets the client read that one", async () => {
  const one = watch(Secret, { keys: () => [], fields: { "metadata.name": "token" } });
  const read = ["token", "other"].map(
    (name) =>
      ({ client }: AnyContext) =>
        client.get(Secret, name),
  );
  const { errors } = await refusals({ watches: [one] }, ...read);
  expect(errors).toEqual([
    'cannot get Secret other: expected token, which the field selector of controller site asks for; add uses: [use(Secret, "get")]',
  ]);
  const uses = [use(Secret, "get")];
  expect((await refusals({ watches: [one], uses }, ...read)).errors).toEqual([]);
});

test.each([
  ["is not", [], "cannot write the status of Deployment"],
  ["is", [useSubresource(Deployment, "status", "patch")], undefined],
])("the status of a built-in kind that %s declared", async (_, uses, refusal) => {
  const controller = defineController({ name: "site", for: Deployment, uses });
  const reconcile: (_: never, context: never) => Promise<object> = async () => ({
    status: { replicas: 1 },
  });
  const host = new WorkerHost({ reconcile }, { controller: controller as unknown as Controller });
  host.cluster.apply({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: "a", name: "x" },
  });
  await host.run();
  if (refusal === undefined) expect(host.record()).toMatchObject({ outcome: "success" });
  else expect(host.record().error).toContain(refusal);
});
