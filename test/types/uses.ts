// What must compile, and what must be inferred: part of the project's own type check. Nothing of it
// runs.

import {
  and,
  ConfigMap,
  type Controller,
  changed,
  Deployment,
  defineController,
  defineKind,
  generationChanged,
  inNamespaces,
  type KubernetesObject,
  labelsChanged,
  type Manifest,
  Namespace,
  not,
  or,
  own,
  Pod,
  predicate,
  type Reconciler,
  type Result,
  readyCondition,
  type Scale,
  Secret,
  Service,
  ServiceAccount,
  TerminalError,
  type TokenRequest,
  use,
  useSubresource,
  watch,
} from "tidegate";
import { defineCrd } from "tidegate/crd";
import * as z from "zod";
import { Shop, spec, status } from "./shop.ts";

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only where the two types are the same. */
function same<A, B>(_proof: Same<A, B>): void {}

export const shopController = defineController({
  name: "shop",
  for: Shop,
  predicate: and(generationChanged, not(labelsChanged)),
  owns: [
    Deployment,
    own(Service, {
      predicate: or(
        labelsChanged,
        changed((service) => service.spec?.clusterIP),
      ),
      labels: { app: "shop" },
    }),
    own(ConfigMap, {
      predicate: predicate({
        keeps: (config) => config.data?.theme,
        passes: (now, before) => now !== before,
      }),
      anyOwner: true,
    }),
  ],
  watches: [
    watch(ConfigMap, { usedBy: (shop: Shop) => shop.spec.contentFrom }),
    watch(Secret, {
      full: true,
      index: (shop: Shop) => shop.spec.host,
      keys: (secret, keysBy) => keysBy(secret.data?.host ?? ""),
    }),
  ],
  applies: [Namespace],
  uses: [use(Secret, "get"), use(ConfigMap, "list", "delete"), use(Shop, "list")],
  eventFilter: inNamespaces("default", /^shop-/),
  finalizer: "web.example.com/dns",
  formerFinalizers: ["web.example.com/old"],
});

// A combined predicate of `for` names the type itself.
export const combined = defineController({
  name: "combined",
  for: Shop,
  predicate: and(
    generationChanged,
    not(
      or(
        labelsChanged,
        changed((shop: Shop) => shop.spec.host),
      ),
    ),
    ({ object, before }) => object.spec.replicas !== before?.spec.replicas,
  ),
});

// Any controller is a Controller.
export const controllers: Controller[] = [
  shopController,
  defineController({ name: "bare", for: ConfigMap, predicate: ({ object }) => "data" in object }),
];

export const shopReconciler: Reconciler<typeof shopController> = {
  async reconcile(shop, { apply, client, recordEvent }): Promise<Result<Shop>> {
    same<typeof shop, Shop>(true);
    same<typeof shop.spec.replicas, number>(true);
    const deployment = await apply(Deployment, deploymentFor(shop));
    same<typeof deployment, Deployment>(true);
    const namespace = { metadata: { name: shop.spec.host } };
    const applied = await apply(Namespace, namespace, { owner: false });
    same<typeof applied, Namespace>(true);
    await client.get(Namespace, shop.spec.host);
    const secret = await client.get(Secret, shop.metadata.name);
    same<typeof secret, Secret | undefined>(true);
    const shops = await client.list(Shop, { labels: { app: "shop" } });
    same<typeof shops, readonly Shop[]>(true);
    await client.create(ConfigMap, { metadata: { name: "made" }, data: { theme: "dark" } });
    await client.delete(ConfigMap, { namespace: "other", name: "made" });
    await client.patch(Deployment, "web", { type: "merge", patch: { spec: { replicas: 2 } } });
    await recordEvent({ type: "Normal", reason: "Made", message: "made a config" });
    if (shop.spec.host === "") throw new TerminalError("spec.host is empty", { cause: secret });
    const availableReplicas = deployment.status?.availableReplicas ?? 0;
    const conditions = [readyCondition(true), { ...readyCondition(false), type: "Reachable" }];
    return { status: { availableReplicas, conditions }, requeueAfterSeconds: undefined };
  },
  async finalize(shop) {
    same<typeof shop, Shop>(true);
    return { requeueAfterSeconds: 5 };
  },
  async gone({ namespace, name }, { log }) {
    log.info("gone", { namespace, name });
  },
};

// Nothing at all is a result.
export const quiet: Reconciler<(typeof controllers)[number]> = {
  async reconcile() {},
  async finalize() {},
};

export const plain = defineController({ name: "plain", for: Shop });
export const plainReconciler: Reconciler<typeof plain> = {
  async reconcile(shop, { client }) {
    same<typeof shop, Shop>(true);
    await client.get(Shop, shop.metadata.name);
  },
};

// Fields with a default may be left out when one writes, and are there when one reads.
export const written: Manifest<Shop> = { metadata: { name: "shop" }, spec: { host: "a.example" } };

function deploymentFor({ metadata, spec }: Shop): Manifest<Deployment> {
  const labels = { shop: metadata.name };
  return {
    metadata: { name: metadata.name, labels },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "web", image: "nginx" }] },
      },
    },
  };
}

const scalingController = defineController({
  name: "scaling",
  for: Shop,
  uses: [
    use(Deployment, "get"),
    useSubresource(Deployment, "scale", "get", "update", "patch"),
    useSubresource(Pod, "eviction", "create"),
    useSubresource(Pod, "status", "patch"),
    useSubresource(ServiceAccount, "token", "create"),
    useSubresource(Shop, "status", "get"),
  ],
});

export const scaling: Reconciler<typeof scalingController> = {
  async reconcile(shop, { client }) {
    const scales = client.subresource(Deployment, "scale");
    const scale = await scales.get("web");
    same<typeof scale, Scale | undefined>(true);
    if (scale) await scales.update({ ...scale, spec: { replicas: 2 } });
    await scales.patch({ namespace: "b", name: "web" }, { type: "merge", patch: {} });
    await client.subresource(Pod, "eviction").create("p", {});
    const spec = { audiences: ["api"], expirationSeconds: 600 };
    const token = await client.subresource(ServiceAccount, "token").create("robot", { spec });
    same<typeof token, TokenRequest>(true);
    const pod = await client.subresource(Pod, "status").patch("p", { type: "json", patch: [] });
    same<typeof pod, Pod>(true);
    const now = await client.subresource(Shop, "status").get(shop.metadata.name);
    same<typeof now, Shop | undefined>(true);
  },
};

// The definition of a kind whose type does not come from schemas has schemas of any type.

interface Plain extends KubernetesObject<"plain.example.com/v1", "Plain"> {
  readonly spec: { readonly host?: string };
}
const Plain = defineKind<Plain>({
  apiVersion: "plain.example.com/v1",
  kind: "Plain",
  plural: "plains",
  scope: "Cluster",
});
const hosts = () => z.object({ hosts: z.array(z.string()) });
defineCrd(Plain, { spec: hosts, status: hosts });
defineCrd(Plain, { versions: { v1: { spec: hosts }, v2: { spec } }, storageVersion: "v2" });
defineCrd(Shop, { versions: { v1: { spec, status }, v2: { spec: hosts } }, storageVersion: "v2" });
