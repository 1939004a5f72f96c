import { expect, test } from "@jest/globals";
import { configDigestController } from "../../functions/config-digest/controller.ts";
import { websiteController } from "../../functions/website/controller.ts";
import { type Controller, defineController } from "../../shared/api/controller.ts";
import {
  ClusterRole,
  ConfigMap,
  Deployment,
  Namespace,
  Node,
  Pod,
  Secret,
  Service,
} from "../../shared/api/kinds.ts";
import { defineKind, type KubernetesObject } from "../../shared/api/object.ts";
import { own, watch } from "../../shared/api/source.ts";
import { use, useSubresource } from "../../shared/api/use.ts";
import { functionRoles, type RoleSubject, watcherRoles } from "../../shared/crd/roles.ts";

const subject: RoleSubject = { kind: "Group", name: "site" };

const Site = defineKind<KubernetesObject<"web.example.com/v1", "Site">>({
  apiVersion: "web.example.com/v1",
  kind: "Site",
  plural: "sites",
  scope: "Namespaced",
});
const Zone = defineKind<KubernetesObject<"web.example.com/v1", "Zone">>({
  apiVersion: "web.example.com/v1",
  kind: "Zone",
  plural: "zones",
  scope: "Cluster",
});

const defined = (options: object): Controller =>
  defineController({ name: "site", for: Site, ...options }) as Controller;

/** The rules in short: "web.example.com sites get", after the namespace of the Role if it is one. */
function shown(roles: ReturnType<typeof functionRoles>): string[] {
  return roles.flatMap((role) => {
    if (!("rules" in role)) return [];
    const where = role.metadata.namespace === undefined ? "" : `${role.metadata.namespace}: `;
    return role.rules.map(({ apiGroups, resources, resourceNames, verbs }) => {
      const names = resourceNames === undefined ? "" : ` [${resourceNames.join(" ")}]`;
      return `${where}${apiGroups.join()} ${resources.join(" ")}${names}: ${verbs.join(" ")}`;
    });
  });
}

const functionRules = (options: object) => shown(functionRoles(defined(options), { subject }));
const watcherRules = (...controllers: Controller[]) =>
  shown(watcherRoles(controllers, { subject }));

const BARE = [
  "events.k8s.io events: create patch",
  "web.example.com sites: get",
  "web.example.com sites/status: patch",
];

test("a ClusterRole and its binding are of one name, for the subject alone", () => {
  const roles = functionRoles(defined({}), { subject });
  const metadata = { name: "tidegate:function:site" };
  expect(roles).toEqual([
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata,
      rules: [
        { apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"] },
        { apiGroups: ["web.example.com"], resources: ["sites"], verbs: ["get"] },
        { apiGroups: ["web.example.com"], resources: ["sites/status"], verbs: ["patch"] },
      ],
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: metadata.name },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "site" }],
    },
  ]);
});

test("a service account is a subject of its namespace, and a platform names what is its own", () => {
  const account = { kind: "ServiceAccount", name: "watcher", namespace: "tidegate" } as const;
  const [role, binding] = watcherRoles([], { subject: account, platform: "blue" });
  expect(role?.metadata).toEqual({ name: "blue:watcher" });
  expect(binding).toMatchObject({ kind: "ClusterRoleBinding", subjects: [account] });
});

test.each([
  ["nothing", {}, []],
  ["a finalizer", { finalizer: "web.example.com/dns" }, ["web.example.com sites: get patch"]],
  [
    "a former finalizer",
    { formerFinalizers: ["web.example.com/old"] },
    ["web.example.com sites: get patch"],
  ],
  [
    "owns",
    { owns: [ConfigMap, own(Service)] },
    [" configmaps services: get create patch", "web.example.com sites/finalizers: update"],
  ],
  ["applies", { applies: [Namespace] }, [" namespaces: get create patch"]],
  ["watches", { watches: [watch(ConfigMap, { keys: () => [] })] }, [" configmaps: get"]],
  [
    "watches of one object",
    { watches: [watch(Secret, { keys: () => [], fields: { "metadata.name": "token" } })] },
    [" secrets [token]: get"],
  ],
  [
    "uses",
    {
      uses: [
        use(Secret, "list", "get"),
        use(Secret, "delete"),
        use(Site, "update"),
        useSubresource(Pod, "eviction", "create"),
        useSubresource(Site, "status", "get"),
      ],
    },
    [
      " pods/eviction: create",
      " secrets: get list delete",
      "web.example.com sites: get update",
      "web.example.com sites/status: get patch",
    ],
  ],
  [
    "a name of for",
    { fields: "metadata.name=main,spec.x!=1" },
    ["web.example.com sites [main]: get", "web.example.com sites/status [main]: patch"],
  ],
])("the function's rules with %s", (_, options, more) => {
  const replaced = (rule: string) =>
    more.some((each) => each.split(/[:[]/)[0]?.trim() === rule.split(":")[0]);
  const expected = [...BARE.filter((rule) => !replaced(rule)), ...more];
  expect([...functionRules(options)].sort()).toEqual(expected.sort());
});

test("a built-in kind's status is not written, unless that is declared", () => {
  const rules = ["events.k8s.io events: create patch"];
  expect(functionRules({ for: ConfigMap })).toEqual([" configmaps: get", ...rules]);
  const uses = [useSubresource(Deployment, "status", "patch")];
  expect(functionRules({ for: Deployment, uses })).toEqual([
    "apps deployments: get",
    "apps deployments/status: patch",
    ...rules,
  ]);
});

test("Events about cluster-scoped objects are allowed in the namespace default alone", () => {
  expect(functionRules({ for: Zone, owns: [ConfigMap] })).toEqual([
    " configmaps: get create patch",
    "web.example.com zones: get",
    "web.example.com zones/finalizers: update",
    "web.example.com zones/status: patch",
    "default: events.k8s.io events: create patch",
  ]);
});

test("with namespaces there are Roles in each, and a ClusterRole for cluster-scoped kinds alone", () => {
  const options = { namespaces: ["b", "a"], owns: [ConfigMap], uses: [use(Node, "get")] };
  const role = [
    " configmaps: get create patch",
    "events.k8s.io events: create patch",
    "web.example.com sites: get",
    "web.example.com sites/finalizers: update",
    "web.example.com sites/status: patch",
  ];
  expect(functionRules(options)).toEqual([
    " nodes: get",
    ...role.map((rule) => `a: ${rule}`),
    ...role.map((rule) => `b: ${rule}`),
  ]);
  const kinds = functionRoles(defined(options), { subject }).map(({ kind }) => kind);
  const pair = ["Role", "RoleBinding"];
  expect(kinds).toEqual(["ClusterRole", "ClusterRoleBinding", ...pair, ...pair]);
});

test("the watcher lists and watches the sources, and reads one namespace", () => {
  const controller = defined({
    finalizer: "web.example.com/dns",
    owns: [ConfigMap],
    applies: [ClusterRole],
    uses: [use(Node, "get")],
    watches: [watch(Secret, { keys: () => [], fields: "metadata.name==token" })],
  });
  expect(watcherRules(controller)).toEqual([
    " configmaps: list watch",
    " namespaces [kube-system]: get",
    " secrets [token]: list watch",
    "web.example.com sites: list watch",
  ]);
});

test("what the watcher may do everywhere is granted neither by name nor in a namespace again", () => {
  const named = defined({ fields: { "metadata.name": "main" } });
  const inB = defined({ namespaces: ["b"], owns: [Pod] });
  expect(watcherRules(named, inB)).toEqual([
    " namespaces [kube-system]: get",
    "web.example.com sites [main]: list watch",
    "b:  pods: list watch",
    "b: web.example.com sites: list watch",
  ]);
  expect(watcherRules(named, inB, defined({}))).toEqual([
    " namespaces [kube-system]: get",
    "web.example.com sites: list watch",
    "b:  pods: list watch",
  ]);
});

test("names with the same verbs are one rule", () => {
  const of = (name: string) => watch(Secret, { keys: () => [], fields: { "metadata.name": name } });
  const controller = defined({ watches: [of("b"), of("a")] });
  expect(functionRoles(controller, { subject })[0]).toMatchObject({
    rules: [{ resources: ["secrets"], resourceNames: ["a", "b"], verbs: ["get"] }, {}, {}, {}],
  });
});

test("the order of a definition changes nothing", () => {
  const watches = [watch(ConfigMap, { keys: () => [] }), watch(Pod, { keys: () => [] })];
  const uses = [use(Secret, "get", "list"), use(Pod, "delete")];
  const one = defined({ owns: [Service, Deployment], watches, uses, namespaces: ["a", "b"] });
  const other = defined({
    owns: [Deployment, Service],
    watches: [...watches].reverse(),
    uses: [use(Pod, "delete"), use(Secret, "list", "get", "list")],
    namespaces: ["b", "a", "b"],
  });
  expect(functionRoles(other, { subject })).toEqual(functionRoles(one, { subject }));
  expect(watcherRoles([other, one], { subject })).toEqual(watcherRoles([one], { subject }));
});

test("the roles of the examples", () => {
  expect(shown(functionRoles(websiteController, { subject }))).toEqual([
    " configmaps: get",
    " services: get create patch",
    "apps deployments: get create patch",
    "events.k8s.io events: create patch",
    "web.example.com websites: get patch",
    "web.example.com websites/finalizers: update",
    "web.example.com websites/status: patch",
  ]);
  expect(shown(functionRoles(configDigestController, { subject }))).toEqual([
    " configmaps: get create patch",
    " configmaps/finalizers: update",
    "events.k8s.io events: create patch",
  ]);
});
