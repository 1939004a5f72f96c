// The roles that follow from definitions are enough, and no more: functions and watcher run as users
// of a kube-apiserver that know nothing but these roles, and its audit log tells what they did.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { configDigestController } from "../../functions/config-digest/controller.ts";
import { configDigestReconciler } from "../../functions/config-digest/reconciler.ts";
import { cronJobController } from "../../functions/cronjob/controller.ts";
import { cronJobReconciler } from "../../functions/cronjob/reconciler.ts";
import { CronJob, crd as cronJobCrd } from "../../functions/cronjob/resource.ts";
import { websiteController } from "../../functions/website/controller.ts";
import { websiteReconciler } from "../../functions/website/reconciler.ts";
import { crd, Website } from "../../functions/website/resource.ts";
import {
  accessOf,
  type KubeRequest,
  kubeRequest,
} from "../../local/kube-apiserver/kube-request.ts";
import type { Controller } from "../../shared/api/controller.ts";
import {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  Deployment,
  Namespace,
  Role,
  RoleBinding,
  Secret,
  ServiceAccount,
} from "../../shared/api/kinds.ts";
import type { Kind, KubernetesObject } from "../../shared/api/object.ts";
import { systemClock } from "../../shared/clock.ts";
import { functionRoles, watcherRoles } from "../../shared/crd/roles.ts";
import { createKubeClient } from "../../shared/kube/create-kube-client.ts";
import type { KubeClient } from "../../shared/kube/kube-client.ts";
import { createTransport } from "../../shared/kube/transport.ts";
import type { Transport } from "../../shared/kube/wire.ts";
import { MemoryPlatform } from "../../shared/testing/memory-platform.ts";
import { realClock, type TestClock } from "../../shared/testing/test-clock.ts";
import type { AnyReconciler } from "../../shared/worker/run-object.ts";
import { defineServedKind } from "./define-kind.ts";
import { type Kube, startKube } from "./kube-apiserver.ts";
import { kubectlApply } from "./kubectl.ts";
import { auditReport, type UserRoles } from "./rbac-audit.ts";
import {
  keeperController,
  keeperReconciler,
  plainController,
  plainReconciler,
  singleController,
  singleReconciler,
  Task,
  tenantController,
  tenantReconciler,
} from "./rbac-controllers.ts";

const BUILD_LIMIT_MS = 60 * 60_000;
const WATCHER = "watcher";

const dns = { owns: (host: string) => host !== "", point: async () => {}, remove: async () => {} };
/** Each change of the cron job makes two more minutes pass for it, so that a job is due. */
let changes = 0;
const cronNowMs = () => Date.now() + changes * 120_000;

const pairs = [
  [websiteController, websiteReconciler(dns)],
  [configDigestController, configDigestReconciler],
  [cronJobController, cronJobReconciler(cronNowMs)],
  [keeperController, keeperReconciler],
  [tenantController, tenantReconciler],
  [plainController, plainReconciler],
  [singleController, singleReconciler],
] as unknown as [Controller, AnyReconciler][];
const controllers = pairs.map(([controller]) => controller);

const userOf = ({ name }: Controller) => `function-${name}`;
const subject = (name: string) => ({ subject: { kind: "User", name } as const });
const roles: UserRoles = new Map([
  [WATCHER, watcherRoles(controllers, subject(WATCHER))],
  ...controllers.map((each) => [userOf(each), functionRoles(each, subject(userOf(each)))] as const),
]);

/** That the owner's deletion may be blocked is asked by admission, which the audit log does not tell. */
const ASKED_BY_ADMISSION = [
  "function-website: update web.example.com/websites/finalizers * in *",
  "function-config-digest: update /configmaps/finalizers * in *",
  "function-cronjob: update batch.example.com/cronjobs/finalizers * in *",
  "function-keeper: update web.example.com/tasks/finalizers * in a",
  "function-tenant: update /namespaces/finalizers * in *",
];

let kube: Kube;
let admin: KubeClient;
let platform: MemoryPlatform<TestClock>;
const transports: Transport[] = [];

beforeAll(async () => {
  const users = [...roles.keys()].map((name) => ({ name, token: `token-${name}` }));
  kube = await startKube({
    authorization: "RBAC",
    audit: true,
    users,
    apiserverFlags: ["--enable-admission-plugins=OwnerReferencesPermissionEnforcement"],
    deployments: false,
    garbageCollector: false,
    progress: (line) => process.stderr.write(`${line}\n`),
  });
  admin = createKubeClient(transportFor(kube.token));
  await defineServedKind(kube, Task, { generation: true, status: true });
  for (const each of [crd(), cronJobCrd()]) await kubectlApply(kube, each);
  await applyRoles();
  await makeObjects();
  platform = new MemoryPlatform<TestClock>({
    controllers: pairs,
    clock: realClock,
    transport: transportFor(`token-${WATCHER}`),
    transportOf: (controller) => transportFor(`token-${userOf(controller)}`),
  });
  await platform.deploy();
  platform.startWatcher();
}, BUILD_LIMIT_MS);

afterAll(async () => {
  await platform?.stop();
  for (const each of transports) each.close();
  await kube?.stop();
});

test("the audit log has every granted verb used, and every used one granted", async () => {
  const report = () => auditReport(kube.auditLogPath, roles);
  let now = await report();
  for (let turn = 1; turn <= 20 && now.unused.length > ASKED_BY_ADMISSION.length; turn += 1) {
    await change(turn);
    await platform.advance(1_500);
    now = await report();
  }
  await admin.delete(Website, { namespace: "default", name: "web" });
  await until(async () => !(await admin.get(Website, { namespace: "default", name: "web" })));
  const { calls, ...found } = await report();
  expect(found).toEqual({
    forbidden: [],
    ungranted: [],
    unused: ASKED_BY_ADMISSION,
  });
  expect(calls).toBeGreaterThan(100);
}, 120_000);

const SITES = "/apis/web.example.com/v1/namespaces/default/websites";
const TASKS = "/apis/web.example.com/v1/namespaces";

test.each([
  ["function-website", "GET", SITES],
  ["function-website", "PUT", `${SITES}/bad`],
  ["function-website", "DELETE", `${SITES}/bad`],
  ["function-website", "PATCH", "/api/v1/namespaces/default/configmaps/content"],
  ["function-website", "GET", "/api/v1/namespaces/a/secrets/token"],
  ["function-website", "GET", "/apis/apps/v1/namespaces/default/deployments"],
  ["function-website", "DELETE", "/apis/apps/v1/namespaces/default/deployments/web"],
  ["function-website", "GET", "/apis/events.k8s.io/v1/namespaces/default/events"],
  ["function-config-digest", "DELETE", "/api/v1/namespaces/default/configmaps/content"],
  ["function-config-digest", "PUT", "/api/v1/namespaces/default/configmaps/content"],
  ["function-keeper", "GET", `${TASKS}/default/tasks/single`],
  ["function-keeper", "PUT", `${TASKS}/a/tasks/kept/status`],
  ["function-keeper", "GET", "/api/v1/namespaces/default/configmaps/content"],
  ["function-keeper", "GET", "/api/v1/namespaces/a/secrets/other"],
  ["function-keeper", "GET", "/api/v1/namespaces/a/secrets"],
  ["function-keeper", "PATCH", "/apis/apps/v1/namespaces/a/deployments/web"],
  ["function-tenant", "GET", "/api/v1/namespaces"],
  ["function-tenant", "POST", "/apis/events.k8s.io/v1/namespaces/t/events"],
  ["function-plain", "PATCH", `${TASKS}/default/tasks/plain`],
  ["function-plain", "GET", `${TASKS}/default/tasks/plain/status`],
  ["function-single", "GET", `${TASKS}/default/tasks/plain`],
  ["function-single", "PATCH", `${TASKS}/default/tasks/plain/status`],
  ["watcher", "GET", `${SITES}/bad`],
  ["watcher", "PATCH", `${SITES}/bad`],
  ["watcher", "GET", "/api/v1/namespaces/default"],
  ["watcher", "GET", "/api/v1/namespaces/a/secrets"],
  ["watcher", "GET", "/api/v1/namespaces/default/serviceaccounts"],
  ["watcher", "POST", "/apis/events.k8s.io/v1/namespaces/default/events"],
])("%s may not %s %s", async (user, method, path) => {
  const body = method === "GET" || method === "DELETE" ? {} : { body: {} };
  const contentType = method === "PATCH" ? { contentType: "application/merge-patch+json" } : {};
  const { status } = await ask(user, { method, path, ...body, ...contentType });
  expect(status).toBe(403);
});

test("adopting needs delete on a server that guards owner references", async () => {
  const key = { namespace: "default", name: "foreign" };
  await admin.create(ConfigMap, key.namespace, { metadata: key });
  const { status, body } = await ask("function-tenant", await owning(key.name));
  expect(status).toBe(403);
  expect((body as { message: string }).message).toContain("cannot set an ownerRef on a resource");
});

test("without the rule on finalizers, and without create, an apply makes nothing", async () => {
  expect((await ask("function-tenant", await owning("with-all"))).status).toBe(201);
  for (const [without, message] of [
    ["namespaces/finalizers", "cannot set blockOwnerDeletion"],
    ["create", "cannot create resource"],
  ] as const) {
    const [role] = roles.get("function-tenant") ?? [];
    const rules = role && "rules" in role ? role.rules : [];
    const left = rules
      .filter(({ resources }) => !resources.includes(without))
      .map((rule) => ({ ...rule, verbs: rule.verbs.filter((verb) => verb !== without) }));
    await patchRules("tidegate:function:tenant", left);
    let made = 0;
    await until(async () => {
      made += 1;
      const { status, body } = await ask(
        "function-tenant",
        await owning(`${role?.kind.toLowerCase()}-${made}`),
      );
      return status === 403 && (body as { message: string }).message.includes(message);
    });
  }
}, 60_000);

function transportFor(token: string): Transport {
  const transport = createTransport(accessOf({ ...kube, token }), { clock: systemClock });
  transports.push(transport);
  return transport;
}

function ask(user: string, request: KubeRequest) {
  return kubeRequest({ url: kube.url, ca: kube.ca, token: `token-${user}` }, request);
}

/** An apply of a ConfigMap that the Namespace "t" owns and whose deletion waits for it. */
async function owning(name: string): Promise<KubeRequest> {
  const owner = await admin.get(Namespace, { namespace: "", name: "t" });
  const { apiVersion, kind } = Namespace;
  const reference = { apiVersion, kind, name: "t", uid: owner?.metadata.uid };
  return {
    method: "PATCH",
    path: `/api/v1/namespaces/default/configmaps/${name}?fieldManager=test&force=true`,
    contentType: "application/apply-patch+yaml",
    body: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name,
        ownerReferences: [{ ...reference, controller: true, blockOwnerDeletion: true }],
      },
    },
  };
}

async function applyRoles(): Promise<void> {
  for (const name of ["a", "t"]) {
    await admin.create(Namespace, "", { metadata: { name } });
  }
  const kinds: Record<string, Kind> = { ClusterRole, ClusterRoleBinding, Role, RoleBinding };
  for (const manifest of [...roles.values()].flat()) {
    const kind = kinds[manifest.kind];
    if (kind) await admin.create(kind, manifest.metadata.namespace ?? "", manifest);
  }
}

async function patchRules(name: string, rules: readonly object[]): Promise<void> {
  await admin.patch(ClusterRole, { namespace: "", name }, { type: "merge", patch: { rules } });
}

const task = (name: string, namespace = "default", metadata: object = {}) =>
  [Task, namespace, { metadata: { name, ...metadata }, spec: { turn: 0 } }] as const;

function cronJob(name: string, schedule: string): object {
  const containers = [{ name: "hello", image: "busybox" }];
  const template = { spec: { restartPolicy: "Never", containers } };
  const jobTemplate = { spec: { template } };
  return { metadata: { name }, spec: { schedule, concurrencyPolicy: "Replace", jobTemplate } };
}

async function makeObjects(): Promise<void> {
  const spec = { host: "web.example.com", image: "nginx", replicas: 1, contentFrom: "content" };
  const labels = { "digest.example.com/enabled": "" };
  const container = { name: "web", image: "nginx" };
  const objects: (readonly [Kind, string, object])[] = [
    [ConfigMap, "default", { metadata: { name: "content", labels } }],
    // Not made by config-digest, which therefore refuses it for good, and records an Event.
    [ConfigMap, "default", { metadata: { name: "taken", labels } }],
    [ConfigMap, "default", { metadata: { name: "taken.digest" } }],
    [Website, "default", { metadata: { name: "web" }, spec }],
    [Website, "default", { metadata: { name: "bad" }, spec: { ...spec, host: "" } }],
    [Secret, "a", { metadata: { name: "token" } }],
    [ServiceAccount, "a", { metadata: { name: "robot" } }],
    [
      Deployment,
      "a",
      {
        metadata: { name: "web" },
        spec: {
          selector: { matchLabels: { app: "web" } },
          template: { metadata: { labels: { app: "web" } }, spec: { containers: [container] } },
        },
      },
    ],
    [CronJob, "default", cronJob("replacing", "* * * * *")],
    [CronJob, "default", cronJob("wrong", "never")],
    task("kept", "a", { labels: { keeper: "" }, finalizers: ["web.example.com/old"] }),
    task("plain", "default", { labels: { plain: "" } }),
    task("single"),
  ];
  for (const [kind, namespace, object] of objects) {
    const { apiVersion, kind: name } = kind;
    await admin.create(kind, namespace, { apiVersion, kind: name, ...object });
  }
}

/** A change of each object, after which its controller has to run. */
async function change(turn: number): Promise<void> {
  const change = async (
    kind: Kind<KubernetesObject>,
    namespace: string,
    name: string,
    patch: object,
  ) => admin.patch(kind, { namespace, name }, { type: "merge", patch });
  await change(ConfigMap, "default", "content", { data: { turn: `${turn}` } });
  await change(ConfigMap, "default", "taken", { data: { turn: `${turn}` } });
  await change(Website, "default", "web", { spec: { image: `nginx:${turn}` } });
  await change(Website, "default", "bad", { spec: { image: `nginx:${turn}` } });
  changes = turn;
  await change(CronJob, "default", "replacing", { spec: { successfulJobsHistoryLimit: turn } });
  await change(CronJob, "default", "wrong", { spec: { successfulJobsHistoryLimit: turn } });
  await change(Task, "a", "kept", { spec: { turn } });
  await change(Task, "default", "plain", { spec: { turn } });
  await change(Task, "default", "single", { spec: { turn } });
  await change(Namespace, "", "t", { metadata: { labels: { tenant: `${turn}` } } });
}

async function until(done: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 30_000; !(await done()); await systemClock.sleep(200)) {
    if (Date.now() > end) throw new Error("expected it within 30 s");
  }
}
