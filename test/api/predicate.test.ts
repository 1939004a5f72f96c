import { expect, test } from "@jest/globals";
import {
  and,
  annotationsChanged,
  type Change,
  type ConfigMap,
  canonicalJson,
  changed,
  type Deployment,
  generationChanged,
  inNamespaces,
  type KubernetesObject,
  labelsChanged,
  not,
  or,
  type Predicate,
  predicate,
  resourceVersionChanged,
  type Service,
} from "tidegate";
import { asks, passesKept, predicateOf } from "../../shared/api/predicate.ts";
import { config, deployment, service } from "./objects.ts";

/** Whether a modification from one object to the other passes. */
function modified<T extends KubernetesObject>(part: Predicate<T>, before: T, now: T): boolean {
  return asks(part, { type: "modified", before, now });
}

const last = "kubectl.kubernetes.io/last-applied-configuration";

test.each([
  ["generationChanged", generationChanged, { generation: 2 }, true],
  ["generationChanged", generationChanged, { resourceVersion: "2" }, false],
  ["labelsChanged", labelsChanged, { labels: { a: "1" } }, true],
  ["labelsChanged", labelsChanged, { labels: {} }, false],
  ["labelsChanged", labelsChanged, { annotations: { a: "1" } }, false],
  ["annotationsChanged", annotationsChanged, { annotations: { a: "1" } }, true],
  ["annotationsChanged", annotationsChanged, { annotations: { [last]: "{}" } }, false],
  ["annotationsChanged", annotationsChanged, { labels: { a: "1" } }, false],
  ["resourceVersionChanged", resourceVersionChanged, { resourceVersion: "2" }, true],
  ["resourceVersionChanged", resourceVersionChanged, {}, false],
])("%s on a Deployment where %#: %p passes: %p", (_name, part, change, passes) => {
  expect(modified(part, deployment(), deployment(change))).toBe(passes);
});

test("generationChanged passes every change of a kind without a generation", () => {
  expect(modified(generationChanged, config(), config({ resourceVersion: "2" }))).toBe(true);
  expect(modified(generationChanged, config(), config())).toBe(false);
});

test.each(["added", "deleted"] as const)(
  "an object that is %s passes all predicates of change",
  (type) => {
    const changes = [generationChanged, labelsChanged, annotationsChanged, resourceVersionChanged];
    const all = and<ConfigMap>(
      ...changes,
      changed((object: ConfigMap) => object.data),
    );
    expect(asks(all, { type, now: config() })).toBe(true);
  },
);

test("changed compares a projection, whatever order its keys have, and takes a missing one for null", () => {
  const data = changed((object: ConfigMap) => object.data);
  expect(modified(data, config({}, { a: "1", b: "2" }), config({}, { b: "2", a: "1" }))).toBe(
    false,
  );
  expect(modified(data, config({}, { a: "1" }), config({}, { a: "2" }))).toBe(true);
  expect(modified(data, config(), config())).toBe(false);
  expect(modified(data, config(), config({}, {}))).toBe(true);
  expect(data.keeps?.(config())).toBeNull();
});

test("a modification without a known state before is not taken for an equal one", () => {
  const spec = changed((object: Service) => object.spec);
  expect(asks(spec, { type: "modified", now: service() })).toBe(true);
});

test("a predicate of one's own is asked with what it keeps, and not when that is equal", () => {
  const asked: unknown[] = [];
  const grown = predicate({
    keeps: (object: Deployment) => object.spec?.replicas ?? 0,
    passes: (now, before) => {
      asked.push([now, before]);
      return now > (before ?? 0);
    },
  });
  expect(modified(grown, deployment({}, 1), deployment({}, 2))).toBe(true);
  expect(modified(grown, deployment({}, 2), deployment({}, 1))).toBe(false);
  expect(modified(grown, deployment({}, 2), deployment({ resourceVersion: "9" }, 2))).toBe(false);
  expect(asks(grown, { type: "added", now: deployment({}, 3) })).toBe(true);
  expect(asked).toEqual([
    [2, 1],
    [1, 2],
    [3, undefined],
  ]);
});

test("a bare function is asked with whole objects", () => {
  const seen: Change<Deployment>[] = [];
  const part = predicateOf<Deployment>((change) => seen.push(change) > 1);
  const [before, now] = [deployment(), deployment({ generation: 2 })];
  expect([part.needs, part.keeps]).toEqual(["object", undefined]);
  expect([asks(part, { type: "added", now }), modified(part, before, now)]).toEqual([false, true]);
  expect(seen).toEqual([
    { type: "added", object: now },
    { type: "modified", object: now, before },
  ]);
});

test.each([
  ["default", true],
  ["shop-7", true],
  ["kube-system", false],
  ["default-2", false],
])('inNamespaces("default", /^shop-/) in namespace %s: %p', (namespace, passes) => {
  const part = inNamespaces("default", /^shop-/);
  expect(part.scope?.(config({ namespace }))).toBe(passes);
  expect(not(part).scope?.(config({ namespace }))).toBe(!passes);
});

test("inNamespaces never drops a cluster-scoped object", () => {
  const { namespace: _none, ...metadata } = config().metadata;
  const node = { apiVersion: "v1", kind: "Node", metadata };
  expect(inNamespaces("default").scope?.(node)).toBe(true);
});

test("inNamespaces with a sticky or global expression answers the same each time", () => {
  const part = inNamespaces(/^shop-/g);
  const now = config({ namespace: "shop-7" });
  const answers = [1, 2, 3].map(() => part.scope?.(now));
  expect(answers).toEqual([true, true, true]);
});

test("a scope stays apart in and, joins in or, and is part of the answer beside other predicates", () => {
  const here = config({ namespace: "here" });
  const there = config({ namespace: "there" });
  const both = and(inNamespaces("here"), generationChanged);
  expect([both.keeps !== undefined, both.scope?.(here), both.scope?.(there)]).toEqual([
    true,
    true,
    false,
  ]);
  const either = or(inNamespaces("here"), inNamespaces("there"));
  expect([either.passes, either.scope?.(there)]).toEqual([undefined, true]);
  const mixed = or(inNamespaces("here"), labelsChanged);
  const same = (object: typeof here) =>
    ({ type: "modified", now: object, before: object }) as const;
  expect([mixed.scope, asks(mixed, same(here)), asks(mixed, same(there))]).toEqual([
    undefined,
    true,
    false,
  ]);
});

test("a bare function is told that the last state of a deletion is not known", () => {
  const seen: Change[] = [];
  const part = predicateOf<Deployment>((change) => seen.push(change) > 0);
  const now = deployment();
  asks(part, { type: "deleted", now, finalStateUnknown: true });
  expect(seen).toEqual([{ type: "deleted", object: now, finalStateUnknown: true }]);
});

const relabelled = deployment({ labels: { a: "1" } });
const raised = deployment({ generation: 2 });
const both = deployment({ generation: 2, labels: { a: "1" } });

test.each([
  ["and", and(generationChanged, labelsChanged), [false, false, true, false]],
  ["or", or(generationChanged, labelsChanged), [true, true, true, false]],
  ["not", not(labelsChanged), [false, true, false, true]],
  ["and of not", and(generationChanged, not(labelsChanged)), [false, true, false, false]],
  [
    "or of and",
    or(and(generationChanged, labelsChanged), labelsChanged),
    [true, false, true, false],
  ],
  ["and of nothing", and(), [true, true, true, true]],
  ["or of nothing", or(), [false, false, false, false]],
])("%s passes new labels, a new generation, both, neither: %p", (_name, part, expected) => {
  const same = deployment({ resourceVersion: "2" });
  const answers = [relabelled, raised, both, same].map((now) => modified(part, deployment(), now));
  expect(answers).toEqual(expected);
});

test("combined predicates keep what their parts keep, and judge by it alone", () => {
  const part = or<Deployment>(
    labelsChanged,
    changed((object: Deployment) => object.spec?.replicas),
  );
  const [before, now] = [deployment(), deployment({ labels: { a: "1" } })].map(
    part.keeps ?? String,
  );
  expect([before, now]).toEqual([
    [{}, 1],
    [{ a: "1" }, 1],
  ]);
  expect(part.needs).toBe("object");
  expect(passesKept(part, { type: "modified", before, now })).toBe(true);
  expect(passesKept(part, { type: "modified", before, now: before })).toBe(false);
});

test("a combination with a part that needs whole objects keeps them, and one of metadata needs metadata", () => {
  expect(or(labelsChanged, () => true).keeps).toBeUndefined();
  expect(not(labelsChanged).keeps).toBeUndefined();
  expect([and(labelsChanged, generationChanged).needs, not(labelsChanged).needs]).toEqual([
    "metadata",
    "metadata",
  ]);
});

test.each([
  [{ b: 1, a: [{ d: 1, c: 2 }] }, '{"a":[{"c":2,"d":1}],"b":1}'],
  [[2, 1], "[2,1]"],
  [{ a: undefined, b: null }, '{"b":null}'],
  [undefined, "null"],
  ["text", '"text"'],
  [{ "10": 1, "9": 2, a: 3 }, '{"9":2,"10":1,"a":3}'],
])("canonicalJson(%p) is %p", (value, expected) => {
  expect(canonicalJson(value)).toBe(expected);
});

test("canonicalJson keeps a field named __proto__", () => {
  const odd = JSON.parse('{"__proto__":{"a":1},"b":1}');
  expect(canonicalJson(odd)).toBe('{"__proto__":{"a":1},"b":1}');
});
