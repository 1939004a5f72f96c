import { expect, test } from "@jest/globals";
import {
  and,
  ConfigMap,
  changed,
  Deployment,
  defineController,
  defineKind,
  generationChanged,
  inNamespaces,
  type KubernetesObject,
  labelsChanged,
  type ObjectMeta,
  own,
  Secret,
  Service,
  watch,
} from "../../shared/api/index.ts";
import { fingerprintsOf } from "../../shared/queue/fingerprint.ts";

interface Site extends KubernetesObject<"web.example.com/v1", "Site"> {
  readonly spec?: { readonly size: number };
}
const Site = defineKind<Site>({
  apiVersion: "web.example.com/v1",
  kind: "Site",
  plural: "sites",
  scope: "Namespaced",
});

const meta: ObjectMeta = {
  name: "a",
  namespace: "n",
  uid: "u",
  resourceVersion: "1",
  generation: 1,
  creationTimestamp: "2026-01-01T00:00:00Z",
  labels: { app: "web" },
};
const site = (metadata: Partial<ObjectMeta> = {}, spec = { size: 1 }): Site => ({
  apiVersion: "web.example.com/v1",
  kind: "Site",
  metadata: { ...meta, ...metadata },
  spec,
});

function fingerprint(
  controller: Parameters<typeof fingerprintsOf>[0],
  kind: { apiVersion: string; kind: string } = Site,
) {
  const of = fingerprintsOf(controller)(kind);
  if (!of) throw new Error("expected a watched kind");
  return of;
}

test("is the resourceVersion where nothing says what matters", () => {
  const of = fingerprint(defineController({ name: "a", for: Site }));
  expect(of(site())).toMatch(/^[0-9a-f]{12}$/);
  expect(of(site({ labels: {} }))).toBe(of(site()));
  expect(of(site({ resourceVersion: "2" }))).not.toBe(of(site()));
});

test("is what the predicate compares, and no more", () => {
  const of = fingerprint(
    defineController({
      name: "a",
      for: Site,
      predicate: changed((object: Site) => object.spec),
    }),
  );
  expect(of(site({ resourceVersion: "2", labels: {} }))).toBe(of(site()));
  expect(of(site({}, { size: 2 }))).not.toBe(of(site()));
  expect(of(site({}, { size: 1 }))).toBe(of(site()));
});

test("a mark for deletion always changes it, whatever the predicate compares (S2)", () => {
  const deleting = { deletionTimestamp: "2026-01-02T00:00:00Z" };
  for (const predicate of [labelsChanged, generationChanged, undefined]) {
    const of = fingerprint(
      defineController({ name: "a", for: Site, ...(predicate && { predicate }) }),
    );
    expect(of(site(deleting))).not.toBe(of(site()));
  }
});

test("is the same of a whole object and of its metadata", () => {
  const of = fingerprint(
    defineController({ name: "a", for: Site, owns: [Deployment] }),
    Deployment,
  );
  const both = fingerprint(
    defineController({
      name: "a",
      for: Site,
      owns: [own(Deployment, { predicate: and(labelsChanged, generationChanged) })],
    }),
    Deployment,
  );
  const whole = { apiVersion: "apps/v1", kind: "Deployment", metadata: meta, spec: { a: 1 } };
  const managed = {
    managedFields: [{ manager: "x" }],
    annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}" },
  };
  const metadataOnly = {
    apiVersion: "meta.k8s.io/v1",
    kind: "PartialObjectMetadata",
    metadata: { ...meta, ...managed },
  };
  for (const one of [of, both]) expect(one(metadataOnly)).toBe(one(whole));
});

test("what kubectl last applied and managedFields never count", () => {
  const of = fingerprint(
    defineController({
      name: "a",
      for: Site,
      predicate: changed((object: Site) => object.metadata),
    }),
  );
  const annotations = { own: "1" };
  const applied = { "kubectl.kubernetes.io/last-applied-configuration": "{}", own: "1" };
  expect(of(site({ annotations: applied }))).toBe(of(site({ annotations })));
  expect(of(site({ annotations: { own: "2" } }))).not.toBe(of(site({ annotations })));
  const managed = { ...meta, annotations, managedFields: [{ manager: "x" }] };
  expect(of({ metadata: managed })).toBe(of(site({ annotations })));
});

test("is the resourceVersion where the sources of a kind compare different things (S9)", () => {
  const sources = (one: typeof labelsChanged, two: typeof labelsChanged) =>
    fingerprint(
      defineController({
        name: "a",
        for: Site,
        owns: [own(Secret, { predicate: one })],
        watches: [watch(Secret, { predicate: two, keys: () => [] })],
      }),
      Secret,
    );
  const [now, later] = [{ metadata: meta }, { metadata: { ...meta, resourceVersion: "2" } }];
  const different = sources(labelsChanged, generationChanged);
  expect(different(later)).not.toBe(different(now));
  const same = sources(labelsChanged, labelsChanged);
  expect(same(later)).toBe(same(now));
});

test("is what the event filter compares where the source compares nothing", () => {
  const of = fingerprint(
    defineController({ name: "a", for: Site, eventFilter: generationChanged }),
  );
  expect(of(site({ resourceVersion: "2" }))).toBe(of(site()));
  expect(of(site({ generation: 2 }))).not.toBe(of(site()));
  const whole = fingerprint(
    defineController({ name: "a", for: Site, eventFilter: inNamespaces("n") }),
  );
  expect(whole(site({ resourceVersion: "2" }))).not.toBe(whole(site()));
});

test("there is none for a kind that the controller does not watch", () => {
  const of = fingerprintsOf(
    defineController({
      name: "a",
      for: Site,
      owns: [Service],
      watches: [watch(ConfigMap, { usedBy: () => "x" })],
    }),
  );
  expect([Site, Service, ConfigMap, Secret].map((kind) => of(kind) !== undefined)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
