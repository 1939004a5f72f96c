// What must not compile, and the text that the compiler must show. Each line below a comment
// "error TS...: text" fails with that code, and its message contains the text, where " ... " stands
// for anything. No other line fails. traps.test.ts runs the compiler.

import {
  and,
  ConfigMap,
  changed,
  Deployment,
  defineController,
  defineKind,
  generationChanged,
  Namespace,
  not,
  or,
  own,
  type Reconciler,
  type Result,
  readyCondition,
  Secret,
  Service,
  StatefulSet,
  use,
  useSubresource,
  watch,
} from "tidegate";
import { conditions, defineCrd } from "tidegate/crd";
import { startEnvironment } from "tidegate/testing";
import * as z from "zod";
import { OtherShop, Shop, spec, status } from "./shop.ts";

// Options

defineController({
  name: "shop",
  for: Shop,
  // error TS2353: 'timeout' does not exist in type 'ControllerOptions<Shop,
  timeout: 30,
});

defineController({
  name: "shop",
  for: Shop,
  // error TS2561: ... Did you mean to write 'maxConcurrentReconciles'?
  maxConcurrentReconcile: 30,
});

defineController({
  name: "shop",
  for: Shop,
  // error TS2561: 'predicat' does not exist in ... Did you mean to write 'predicate'?
  owns: [own(Deployment, { predicat: generationChanged })],
});

defineController({
  name: "shop",
  for: Shop,
  // error TS2561: 'usedByy' does not exist in ... Did you mean to write 'usedBy'?
  watches: [watch(ConfigMap, { usedByy: (shop: Shop) => shop.spec.contentFrom })],
});

defineController({
  name: "shop",
  for: Shop,
  // error TS2322: Type '"dns"' is not assignable to type '`${string}/${string}`'.
  finalizer: "dns",
});

defineController({
  name: "shop",
  for: Shop,
  // error TS2322: Type '"everything"' is not assignable to type '"all" | "changed" | undefined'.
  onStart: "everything",
});

// Predicates and maps of another kind

const replicasChanged = changed((deployment: Deployment) => deployment.spec?.replicas);

defineController({
  name: "shop",
  for: Shop,
  // error TS2322: 'Predicate<Deployment>' is not assignable to type 'PredicateOf<NoInfer<Shop>>
  predicate: replicasChanged,
});

defineController({
  name: "shop",
  for: Shop,
  // error TS2322: 'Predicate<Deployment>' is not assignable to type 'PredicateOf<NoInfer<Service>>
  owns: [own(Service, { predicate: replicasChanged })],
});

defineController({
  name: "shop",
  for: Shop,
  // error TS2322: 'Watch<Deployment, ConfigMap>' is not assignable to type 'Watch<NoInfer<Shop>,
  watches: [watch(ConfigMap, { usedBy: (deployment: Deployment) => deployment.metadata.name })],
});

defineController({
  name: "shop",
  for: Shop,
  watches: [
    // error TS2322: 'Watch<Deployment, ConfigMap>' is not assignable to type 'Watch<NoInfer<Shop>,
    watch(ConfigMap, {
      index: (deployment: Deployment) => deployment.metadata.name,
      keys: (config, keysBy) => keysBy(config.metadata.name),
    }),
  ],
});

watch(ConfigMap, {
  // error TS2339: Property 'data' does not exist on type 'MetadataOf<NoInfer<ConfigMap>>'.
  keys: (config, keysBy) => keysBy(config.data?.shop ?? ""),
});

// error TS2345: Argument of type '"read"' is not assignable to parameter of type 'Verb'.
use(Secret, "read");
// error TS2555: Expected at least 2 arguments, but got 1.
use(Secret);
// error TS2345: Argument of type '"delete"' is not assignable to parameter of type 'SubresourceVerb'.
useSubresource(Deployment, "scale", "delete");
// error TS2555: Expected at least 3 arguments, but got 2.
useSubresource(Deployment, "scale");

defineKind<Shop>({
  // error TS2322: Type '"web.example.com/v2"' is not assignable to type '"web.example.com/v1"'.
  apiVersion: "web.example.com/v2",
  kind: "Shop",
  plural: "shops",
  scope: "Namespaced",
});

defineController({
  name: "shop",
  for: Shop,
  // error TS2322: Type '"dns"' is not assignable to type '`${string}/${string}`'.
  formerFinalizers: ["dns"],
});

defineController({
  name: "shop",
  for: Shop,
  // error TS2322: 'Predicate<Deployment>' is not assignable to type 'PredicateOf<NoInfer<Shop>>
  predicate: and(generationChanged, replicasChanged),
});

defineController({
  name: "shop",
  for: Shop,
  // error TS2322: 'Predicate<Deployment>' is not assignable to type 'PredicateOf<NoInfer<Service>>
  owns: [own(Service, { predicate: or(generationChanged, not(replicasChanged)) })],
});

// The reconciler

export const shopController = defineController({
  name: "shop",
  for: Shop,
  owns: [Deployment, own(Service)],
  watches: [watch(ConfigMap, { usedBy: (shop: Shop) => shop.spec.contentFrom })],
  uses: [use(Secret, "get"), use(StatefulSet, "create"), use(Service, "list", "update", "delete")],
  applies: [Namespace],
  finalizer: "web.example.com/dns",
});

const plainController = defineController({ name: "plain", for: Shop, owns: [Shop] });

const finalize = async () => {};
const metadata = { name: "shop" };

export const kinds: Reconciler<typeof shopController> = {
  async reconcile(shop, { apply, client }) {
    // error TS2345: 'Kind<StatefulSet>' is not assignable to parameter of type 'Kind<Deployment | Namespace | Service>'
    await apply(StatefulSet, { metadata });
    // error TS2345: 'Kind<ConfigMap>' is not assignable to parameter of type 'Kind<Deployment | Namespace | Service>'
    await apply(ConfigMap, { metadata });
    // error TS2322: Type 'string' is not assignable to type 'number'.
    await apply(Deployment, { metadata, spec: { replicas: "two" } });
    // error TS2353: 'status' does not exist in type 'Manifest<Deployment>'.
    await apply(Deployment, { metadata, status: { replicas: 2 } });
    // error TS2561: 'forced' does not exist in type 'ApplyOptions'. Did you mean to write 'force'?
    await apply(Deployment, { metadata }, { forced: true });
    // error TS2345: 'Kind<StatefulSet>' is not assignable to parameter of type 'Kind<ConfigMap | Deployment | Namespace | Secret | Service | Shop>'
    await client.get(StatefulSet, shop.metadata.name);
    // error TS2345: 'Kind<Secret>' is not assignable to parameter of type 'Kind<Deployment | Namespace | Service | StatefulSet>'
    await client.create(Secret, { metadata });
    // error TS2345: 'Kind<ConfigMap>' is not assignable to parameter of type 'Kind<Service>'
    await client.update(ConfigMap, await client.get(ConfigMap, "a"));
    // error TS2345: 'Kind<Secret>' is not assignable to parameter of type 'Kind<Service>'
    await client.delete(Secret, "a");
    // error TS2345: 'Kind<Deployment>' is not assignable to parameter of type 'Kind<Service>'
    await client.delete(Deployment, "a");
    // error TS2345: 'Kind<Deployment>' is not assignable to parameter of type 'Kind<Service>'
    await client.list(Deployment);
    // error TS2345: 'Kind<Shop>' is not assignable to parameter of type 'Kind<Service>'
    await client.list(Shop);
    // error TS2345: 'Kind<ConfigMap>' is not assignable to parameter of type 'Kind<Service>'
    await client.list(ConfigMap);
    // error TS2345: 'Kind<Namespace>' is not assignable to parameter of type 'Kind<Service>'
    await client.delete(Namespace, "a");
    // error TS2345: 'Kind<Shop>' is not assignable to parameter of type 'Kind<Deployment | Namespace | Service>'
    await client.patch(Shop, "a", { type: "merge", patch: {} });
    // error TS2339: Property 'image' does not exist on type '{ host: string;
    shop.spec.image;
    // error TS2540: Cannot assign to 'name' because it is a read-only property.
    shop.metadata.name = "other";
  },
  finalize,
};

defineController({
  name: "shop",
  for: Shop,
  // error TS2739: Type 'Owned<Deployment>' is missing the following properties from type 'Kind<
  applies: [own(Deployment)],
});

export const lookAlike: Reconciler<typeof plainController> = {
  async reconcile(_shop, { apply }) {
    // error TS2345: 'Kind<OtherShop>' is not assignable to parameter of type 'Kind<Shop>'
    await apply(OtherShop, { metadata, spec: { host: "a" } });
    // error TS2741: Property 'host' is missing in
    await apply(Shop, { metadata, spec: { replicas: 2 } });
    // error TS2561: 'replica' does not exist in ... Did you mean to write 'replicas'?
    await apply(Shop, { metadata, spec: { host: "a", replica: 2 } });
  },
};

// error TS2741: Property 'finalize' is missing in ... in type 'ReconcileAndFinalize<Shop, Deployment | Service,
export const missing: Reconciler<typeof shopController> = {
  async reconcile() {},
};

export const needless: Reconciler<typeof plainController> = {
  async reconcile() {},
  // error TS2322: "finalize needs a finalizer in the controller"
  finalize,
};

export const misspelt: Reconciler<typeof shopController> = {
  // error TS2561: 'reconcil' does not exist in ... Did you mean to write 'reconcile'?
  async reconcil() {},
  finalize,
};

const scalingController = defineController({
  name: "scaling",
  for: Shop,
  owns: [Deployment],
  uses: [
    useSubresource(StatefulSet, "scale", "get", "patch"),
    useSubresource(Service, "status", "patch"),
  ],
});

export const subresources: Reconciler<typeof scalingController> = {
  async reconcile(_shop, { client }) {
    // error TS2345: 'Kind<Deployment>' is not assignable to parameter of type 'Kind<Service | StatefulSet>'
    client.subresource(Deployment, "scale");
    // error TS2345: 'Kind<Shop>' is not assignable to parameter of type 'Kind<Service | StatefulSet>'
    client.subresource(Shop, "status");
    // error TS2345: Argument of type '"status"' is not assignable to parameter of type '"scale"'.
    await client.subresource(StatefulSet, "status").get("a");
    const scale = client.subresource(StatefulSet, "scale");
    // error TS2339: Property 'update' does not exist on type 'Subresource<Scale, "get" | "patch">'.
    await scale.update;
    // error TS2339: Property 'get' does not exist on type 'Subresource<Service, "patch">'.
    await client.subresource(Service, "status").get("a");
    // error TS2339: Property 'image' does not exist on type '{ readonly replicas?: number
    (await scale.get("a"))?.spec?.image;
    // error TS2345: 'Kind<StatefulSet>' is not assignable to parameter of type 'Kind<Deployment | Shop>'
    await client.get(StatefulSet, "a");
    // error TS2345: 'Kind<Service>' is not assignable to parameter of type 'Kind<Deployment>'
    await client.patch(Service, "a", { type: "merge", patch: {} });
  },
};

export const noSubresources: Reconciler<typeof plainController> = {
  async reconcile(_shop, { client }) {
    // error TS2345: 'Kind<Secret>' is not assignable to parameter of type 'Kind<Shop>'
    await client.get(Secret, "a");
    // error TS2345: 'Kind<Shop>' is not assignable to parameter of type 'Kind<never>'
    client.subresource(Shop, "status");
  },
};

// Results

export const results: Record<string, () => Promise<Result<Shop>>> = {
  // error TS2322: '{ requeueAfter: number; }' has no properties in common with type 'Result<Shop>'
  requeueAfter: async () => ({ requeueAfter: 5 }),
  // error TS2322: 'status.availableReplicas' are incompatible ... 'string' is not assignable to type 'number'
  wrong: async () => ({ status: { availableReplicas: "1", conditions: [] } }),
  // error TS2322: Property 'conditions' is missing in type '{ availableReplicas: number; }'
  missing: async () => ({ status: { availableReplicas: 1 } }),
  // error TS2322: 'status.conditions' are incompatible ... missing the following properties
  condition: async () => ({ status: { availableReplicas: 1, conditions: [{ type: "Ready" }] } }),
};

export const annotated: Reconciler<typeof shopController> = {
  async reconcile(_shop): Promise<Result<Shop>> {
    const conditions = [readyCondition(true)];
    // error TS2353: 'phase' does not exist in type 'NewStatus<
    return { status: { availableReplicas: 1, conditions, phase: "Ready" } };
  },
  finalize,
};

export const misspeltResult: Reconciler<typeof shopController> = {
  async reconcile(_shop): Promise<Result<Shop>> {
    // error TS2353: 'requeueAfter' does not exist in type 'Result<Shop>'.
    return { status: { availableReplicas: 1, conditions: [] }, requeueAfter: 5 };
  },
  finalize,
};

export const unannotated: Reconciler<typeof shopController> = {
  // error TS2322: 'status.availableReplicas' are incompatible ... 'string' is not assignable to type 'number'
  async reconcile() {
    return { status: { availableReplicas: "1", conditions: [] } };
  },
  finalize,
};

// Testing kit

export async function environments(): Promise<void> {
  const env = await startEnvironment({
    controllers: [
      [shopController, annotated],
      // error TS2322: '(shop: OtherShop) => Promise<undefined>' is not assignable ... '"web.example.com/v1"'
      [plainController, { reconcile: async (shop: OtherShop) => void shop }],
    ],
  });
  // error TS2741: Property 'finalize' is missing in type '{ reconcile: () => Promise<void>; }'
  await startEnvironment({ controllers: [[shopController, { reconcile: async () => {} }]] });
  // error TS2322: Type 'ReconcileAndFinalize<Shop, ... is not assignable to type 'Reconcile<Shop, Shop,
  await startEnvironment({ controllers: [[plainController, annotated]] });
  // error TS2561: ... Did you mean to write 'controllers'?
  await startEnvironment({ controllers: [], controller: shopController });
  // error TS2769: Type 'number' is not assignable to type 'string'
  await env.apply(Shop, { metadata: { name: "a" }, spec: { host: 1 } });
}

// The definition of a kind

const otherSpec = () => z.object({ host: z.int(), replicas: z.int().default(1) });
const specWithout = () => z.object({ host: z.string() });
const otherStatus = () => z.object({ availableReplicas: z.string(), conditions: conditions() });

// error TS2322: Type 'number' is not assignable to type 'string'
defineCrd(Shop, { spec: otherSpec, status });
// error TS2322: Property 'replicas' is missing
defineCrd(Shop, { spec: specWithout, status });
// error TS2322: Type 'string' is not assignable to type 'number'
defineCrd(Shop, { spec, status: otherStatus });
defineCrd(Shop, {
  versions: {
    // error TS2322: Type 'number' is not assignable to type 'string'
    v1: { spec: otherSpec, status },
    v1beta1: { spec: otherSpec },
  },
  storageVersion: "v1",
});
// error TS2322: Type '"v2"' is not assignable to type '"v1"'.
defineCrd(Shop, { versions: { v1: { spec, status } }, storageVersion: "v2" });
// error TS2561: 'shortName' does not exist in ... Did you mean to write 'shortNames'?
defineCrd(Shop, { spec, status, shortName: ["s"] });
