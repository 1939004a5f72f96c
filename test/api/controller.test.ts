import { expect, test } from "@jest/globals";
import {
  ConfigMap,
  type Controller,
  changed,
  Deployment,
  defineController,
  defineKind,
  generationChanged,
  inNamespaces,
  keyOf,
  labelsChanged,
  Namespace,
  own,
  readyCondition,
  Secret,
  Service,
  TerminalError,
  use,
  watch,
} from "tidegate";
import { sourcesOf } from "../../shared/api/controller.ts";
import { groupKindOf } from "../../shared/api/object.ts";
import { config } from "./objects.ts";

const defined = (options: object): Controller =>
  defineController({ name: "shop", for: ConfigMap, ...options }) as Controller;

test("fills in the defaults", () => {
  expect(defined({})).toEqual({
    name: "shop",
    for: ConfigMap,
    owns: [],
    applies: [],
    watches: [],
    uses: [],
    finalizer: undefined,
    formerFinalizers: [],
    fieldManager: "shop",
    maxConcurrentReconciles: 10,
    timeoutSeconds: 60,
    resyncSeconds: 36_000,
    onStart: "changed",
  });
});

test("brings owned kinds, predicates and functions into one shape", () => {
  const controller = defined({ owns: [Deployment, own(Service, { optional: true })] });
  expect(controller.owns).toEqual([
    { role: "owns", kind: Deployment, optional: false, anyOwner: false },
    { role: "owns", kind: Service, optional: true, anyOwner: false },
  ]);
  expect(defined({ predicate: () => true }).predicate).toMatchObject({ needs: "object" });
});

test.each([
  ["name", "Shop", 'lower case letters, digits and "-", at most 40 characters, got "Shop"'],
  ["name", "shop-", "got"],
  ["name", "a".repeat(41), "at most 40 characters"],
  ["maxConcurrentReconciles", 1, "a whole number from 2 to 10000 (an event source mapping"],
  ["maxConcurrentReconciles", 2.5, "got 2.5"],
  ["maxConcurrentReconciles", 10_001, "got 10001"],
  ["timeoutSeconds", 4, "a whole number from 5 to 900, got 4"],
  ["timeoutSeconds", 901, "got 901"],
  ["timeoutSeconds", Number.NaN, "from 5 to 900"],
  ["resyncSeconds", 59, "from 60 to 2592000"],
  ["maxAttempts", 0, "from 1 to 1000"],
  ["fieldManager", "", "1 to 128 characters"],
  ["fieldManager", "m".repeat(129), "1 to 128 characters"],
  ["finalizer", "dns", 'a qualified name such as "example.com/dns", got "dns"'],
  ["finalizer", "/dns", "a qualified name"],
  ["finalizer", "example.com/", "a qualified name"],
  ["finalizer", "example.com/a/b", "a qualified name"],
  ["finalizer", `example.com/${"x".repeat(64)}`, "a qualified name"],
  ["formerFinalizers", ["old"], 'a qualified name such as "example.com/dns", got "old"'],
  ["namespaces", [], "absent or not empty, got []"],
])("fails when %s is %p", (option, value, text) => {
  expect(() => defined({ [option]: value })).toThrow(text);
});

test.each([
  ["name", "a"],
  ["name", "a".repeat(40)],
  ["maxConcurrentReconciles", 2],
  ["maxConcurrentReconciles", 10_000],
  ["timeoutSeconds", 5],
  ["timeoutSeconds", 900],
  ["resyncSeconds", 60],
  ["maxAttempts", 1_000],
  ["finalizer", "Web.example.com/DNS_1.x".replace("Web", "web")],
  ["namespaces", ["default"]],
])("takes %s of %p", (option, value) => {
  expect(defined({ [option]: value })).toMatchObject({ [option]: value });
});

test("fails when a cluster-scoped kind is given namespaces", () => {
  expect(() => defined({ for: Namespace, namespaces: ["a"] })).toThrow(
    'cannot define controller shop: expected namespaces to be absent, for Namespace is cluster-scoped, got ["a"]',
  );
});

test("fails when a watch says not how its objects map, or says it twice", () => {
  const expected = "cannot watch Secret: expected either usedBy or keys, got";
  const advice = "say how its objects map";
  expect(() => watch(Secret, {})).toThrow(`${expected} neither; ${advice}`);
  expect(() => watch(Secret, { usedBy: () => "a", keys: () => [] })).toThrow(
    `${expected} both; ${advice}`,
  );
});

const shop = { apiVersion: "web.example.com/v1", kind: "Shop", plural: "shops" };

test.each([
  [{ apiVersion: "web.example.com" }, 'expected apiVersion "group/version", got "web.example.com"'],
  [{ apiVersion: "Web.example.com/v1" }, 'expected apiVersion "group/version"'],
  [{ kind: "shop" }, 'expected kind in PascalCase, got "shop"'],
  [{ plural: "Shops" }, 'expected plural in lower case, got "Shops"'],
  [{ plural: "shops-" }, 'expected plural in lower case, got "shops-"'],
])("fails when a kind is defined with %p", (change, text) => {
  expect(() => defineKind({ ...shop, scope: "Namespaced", ...change })).toThrow(text);
});

test("takes kinds of the core group, and of versions such as v1beta1", () => {
  for (const apiVersion of ["v1", "apps/v1", "web.example.com/v1beta1"]) {
    const kind = defineKind({ ...shop, apiVersion, scope: "Cluster" });
    expect(kind.apiVersion).toBe(apiVersion);
  }
});

const full = (options: object) => sourcesOf(defined(options)).map((source) => source.full);

test.each<[string, object, boolean[]]>([
  ["nothing asks for more", { owns: [Deployment] }, [false, false]],
  ["metadata is enough for predicates", { predicate: generationChanged }, [false]],
  ["a projection", { owns: [own(Service, { predicate: changed((s) => s.spec) })] }, [false, true]],
  ["a bare function", { predicate: () => true, owns: [Deployment] }, [true, false]],
  [
    "an event filter over whole objects",
    { eventFilter: () => true, owns: [Service] },
    [true, true],
  ],
  [
    "an event filter over metadata",
    { eventFilter: inNamespaces("a"), owns: [Service] },
    [false, false],
  ],
  [
    "usedBy reads the main object",
    { watches: [watch(Secret, { usedBy: () => "a" })] },
    [true, false],
  ],
  [
    "an index reads the main object",
    { watches: [watch(Secret, { index: () => "a", keys: () => [] })] },
    [true, false],
  ],
  ["keys alone", { watches: [watch(Secret, { keys: () => [] })] }, [false, false]],
  [
    "a watch that asks",
    { watches: [watch(Secret, { full: true, keys: () => [] })] },
    [false, true],
  ],
])("sources are fetched whole only where needed: %s", (_why, options, expected) => {
  expect(full(options)).toEqual(expected);
});

test("sources come in order, with their role, selectors and predicate", () => {
  const watched = watch(Secret, { keys: () => [], fields: { type: "Opaque" }, optional: true });
  const owned = own(Deployment, { labels: "app in (a,b)", predicate: labelsChanged });
  const controller = defined({ labels: { app: "a" }, owns: [owned], watches: [watched] });
  expect(sourcesOf(controller)).toEqual([
    { role: "for", kind: ConfigMap, labels: { app: "a" }, optional: false, full: false },
    {
      role: "owns",
      kind: Deployment,
      labels: "app in (a,b)",
      predicate: labelsChanged,
      optional: false,
      full: false,
      owned,
    },
    {
      role: "watches",
      kind: Secret,
      fields: { type: "Opaque" },
      optional: true,
      full: false,
      watch: watched,
    },
  ]);
});

test("keys, group kinds, grants, conditions and errors are plain values", () => {
  const { namespace: _none, ...metadata } = config().metadata;
  expect(keyOf(config())).toEqual({ namespace: "default", name: "shop" });
  expect(keyOf({ metadata })).toEqual({ namespace: "", name: "shop" });
  expect([groupKindOf(ConfigMap), groupKindOf(Deployment)]).toEqual([
    "/ConfigMap",
    "apps/Deployment",
  ]);
  expect(use(Secret, "get", "list")).toEqual({ kind: Secret, verbs: ["get", "list"] });
  expect(readyCondition(false)).toEqual({
    type: "Ready",
    status: "False",
    reason: "NotReady",
    message: "",
  });
  const cause = new Error("why");
  expect(new TerminalError("no", { status: { a: 1 }, cause })).toMatchObject({
    name: "TerminalError",
    message: "no",
    status: { a: 1 },
    cause,
  });
});
