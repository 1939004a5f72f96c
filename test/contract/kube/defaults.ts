import {
  configMap,
  deployment,
  JOBS,
  pod,
  SECRETS,
  SERVICES,
  service,
  template,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const NAMESPACED: Record<string, string> = {
  core: "/api/v1/namespaces/{ns}",
  apps: "/apis/apps/v1/namespaces/{ns}",
  batch: "/apis/batch/v1/namespaces/{ns}",
  networking: "/apis/networking.k8s.io/v1/namespaces/{ns}",
  rbac: "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}",
};

const object = (apiVersion: string, kind: string, more: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name: "a" },
  ...more,
});
const cluster = (apiVersion: string, kind: string, more: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name: "{ns}-a" },
  ...more,
});
const workload = (kind: string, spec: object = {}) =>
  object("apps/v1", kind, {
    spec: { selector: { matchLabels: { app: "a" } }, template: template("a"), ...spec },
  });
const run = template("a", { restartPolicy: "Never" });
const RBAC = "rbac.authorization.k8s.io/v1";

/** The least of each kind that lives in a namespace: its plural, and the object. */
const SMALLEST: readonly (readonly [path: string, body: object])[] = [
  [`${NAMESPACED.core}/configmaps`, configMap("a")],
  [SECRETS, object("v1", "Secret")],
  [SERVICES, service("a")],
  [`${NAMESPACED.core}/serviceaccounts`, object("v1", "ServiceAccount")],
  [`${NAMESPACED.core}/pods`, pod("a")],
  [
    `${NAMESPACED.core}/persistentvolumeclaims`,
    object("v1", "PersistentVolumeClaim", {
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }),
  ],
  [`${NAMESPACED.core}/endpoints`, object("v1", "Endpoints")],
  [`${NAMESPACED.apps}/deployments`, deployment("a")],
  [`${NAMESPACED.apps}/replicasets`, workload("ReplicaSet")],
  [`${NAMESPACED.apps}/statefulsets`, workload("StatefulSet", { serviceName: "a" })],
  [`${NAMESPACED.apps}/daemonsets`, workload("DaemonSet")],
  [JOBS, object("batch/v1", "Job", { spec: { template: run } })],
  [
    `${NAMESPACED.batch}/cronjobs`,
    object("batch/v1", "CronJob", {
      spec: { schedule: "* * * * *", jobTemplate: { spec: { template: run } } },
    }),
  ],
  [
    `${NAMESPACED.networking}/ingresses`,
    object("networking.k8s.io/v1", "Ingress", {
      spec: { defaultBackend: { service: { name: "a", port: { number: 80 } } } },
    }),
  ],
  [
    `${NAMESPACED.networking}/networkpolicies`,
    object("networking.k8s.io/v1", "NetworkPolicy", {
      spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] },
    }),
  ],
  [`${NAMESPACED.rbac}/roles`, object(RBAC, "Role")],
  [
    `${NAMESPACED.rbac}/rolebindings`,
    object(RBAC, "RoleBinding", {
      roleRef: { kind: "Role", name: "r" },
      subjects: [{ kind: "ServiceAccount", name: "s" }],
    }),
  ],
  [
    "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
    object("policy/v1", "PodDisruptionBudget", { spec: { minAvailable: 1 } }),
  ],
  [
    "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers",
    object("autoscaling/v2", "HorizontalPodAutoscaler", {
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
        maxReplicas: 3,
      },
    }),
  ],
  [
    "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases",
    object("coordination.k8s.io/v1", "Lease", {
      spec: { renewTime: "2020-01-01T00:00:00.000000Z", leaseDurationSeconds: 15 },
    }),
  ],
  [
    "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices",
    object("discovery.k8s.io/v1", "EndpointSlice", {
      addressType: "IPv4",
      endpoints: [{ addresses: ["10.1.1.1"] }],
      ports: [{ port: 80 }],
    }),
  ],
];

const CLUSTER: readonly (readonly [path: string, body: object])[] = [
  ["/api/v1/namespaces", cluster("v1", "Namespace")],
  ["/api/v1/nodes", cluster("v1", "Node")],
  [
    "/apis/networking.k8s.io/v1/ingressclasses",
    cluster("networking.k8s.io/v1", "IngressClass", { spec: { controller: "example.com/x" } }),
  ],
  ["/apis/rbac.authorization.k8s.io/v1/clusterroles", cluster(RBAC, "ClusterRole")],
  [
    "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    cluster(RBAC, "ClusterRoleBinding", {
      roleRef: { kind: "ClusterRole", name: "r" },
      subjects: [
        { kind: "User", name: "u" },
        { kind: "Group", name: "g" },
      ],
    }),
  ],
  [
    "/apis/scheduling.k8s.io/v1/priorityclasses",
    cluster("scheduling.k8s.io/v1", "PriorityClass", { value: 5 }),
  ],
  [
    "/apis/storage.k8s.io/v1/storageclasses",
    cluster("storage.k8s.io/v1", "StorageClass", { provisioner: "example.com/x" }),
  ],
  [
    "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations",
    cluster("flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", {
      spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } },
    }),
  ],
  [
    "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
    cluster("flowcontrol.apiserver.k8s.io/v1", "FlowSchema", {
      spec: { priorityLevelConfiguration: { name: "{ns}-a" } },
    }),
  ],
  [
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All",
    {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "gadgets.{ns}.example.com" },
      spec: {
        group: "{ns}.example.com",
        names: { kind: "Gadget", plural: "gadgets" },
        scope: "Namespaced",
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object" } },
          },
        ],
      },
    },
  ],
];

const ports = [{ containerPort: 80 }];
const probe = { httpGet: { port: 80 } };
const full = {
  containers: [
    {
      name: "main",
      image: "app",
      ports,
      env: [
        { name: "A", value: "1" },
        { name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      ],
      livenessProbe: probe,
      readinessProbe: { tcpSocket: { port: 80 } },
      resources: { limits: { cpu: "0.5", memory: "1024Mi" } },
    },
    { name: "latest", image: "app:latest", startupProbe: { grpc: { port: 1 } } },
    {
      name: "digest",
      image: `app@sha256:${"0".repeat(64)}`,
      lifecycle: { preStop: { httpGet: { port: 80 } } },
    },
  ],
  initContainers: [{ name: "init", image: "init:1" }],
  volumes: [
    { name: "secret", secret: { secretName: "s" } },
    { name: "map", configMap: { name: "m" } },
    { name: "host", hostPath: { path: "/x" } },
    {
      name: "down",
      downwardAPI: { items: [{ path: "p", fieldRef: { fieldPath: "metadata.name" } }] },
    },
    { name: "all", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } },
    { name: "none" },
  ],
  serviceAccountName: "sa",
  hostNetwork: false,
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "t", whenUnsatisfiable: "DoNotSchedule" }],
};

export const scenarios = [
  ...SMALLEST.map(([path, body]) =>
    scenario(`the smallest of ${path.split("/").at(-1)}`, async (api) => {
      await api.post(path, body);
    }),
  ),
  ...CLUSTER.map(([path, body]) =>
    scenario(`the smallest of ${path.split("?")[0]?.split("/").at(-1)}`, async (api) => {
      const made = await api.post(path, body);
      if (!path.includes("dryRun")) await api.quiet.delete(`${path}/${made.object.metadata.name}`);
    }),
  ),
  scenario("defaults inside a Pod", async (api) => {
    await api.post(`${NAMESPACED.core}/pods`, pod("a", full));
    await api.post(
      `${NAMESPACED.core}/pods`,
      pod("b", { hostNetwork: true, containers: [{ name: "m", image: "a:1", ports }] }),
    );
  }),
  scenario("defaults inside a Deployment's template and strategy", async (api) => {
    const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } };
    await api.post(
      `${NAMESPACED.apps}/deployments`,
      deployment("a", { strategy, template: template("a", full) }),
    );
    await api.post(
      `${NAMESPACED.apps}/deployments`,
      deployment("b", { strategy: { type: "Recreate" }, replicas: 0 }),
    );
  }),
  scenario("defaults of Services by their type", async (api) => {
    await api.post(SERVICES, service("a", { type: "NodePort" }));
    await api.post(SERVICES, service("b", { type: "LoadBalancer" }));
    await api.post(
      SERVICES,
      service("c", { type: "ExternalName", externalName: "x.example.com", ports: undefined }),
    );
    await api.post(SERVICES, service("d", { clusterIP: "None", ports: undefined }));
    await api.post(
      SERVICES,
      service("e", {
        sessionAffinity: "ClientIP",
        ports: [{ port: 53, protocol: "UDP", targetPort: "dns" }],
      }),
    );
  }),
  scenario("defaults of claims, Jobs, Secrets and Ingresses that say more", async (api) => {
    await api.post(
      `${NAMESPACED.apps}/statefulsets`,
      workload("StatefulSet", {
        volumeClaimTemplates: [
          {
            metadata: { name: "data" },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        ],
      }),
    );
    await api.post(
      JOBS,
      object("batch/v1", "Job", {
        spec: {
          template: run,
          parallelism: 3,
          completions: 6,
          completionMode: "Indexed",
          ttlSecondsAfterFinished: 5,
        },
      }),
    );
    await api.post(
      SECRETS,
      object("v1", "Secret", { stringData: { a: "1" }, data: { b: "AAEC" } }),
    );
    await api.post(
      `${NAMESPACED.networking}/ingresses`,
      object("networking.k8s.io/v1", "Ingress", {
        spec: {
          rules: [
            {
              host: "x.example.com",
              http: {
                paths: [
                  {
                    path: "/",
                    pathType: "Prefix",
                    backend: { service: { name: "a", port: { name: "http" } } },
                  },
                ],
              },
            },
          ],
        },
      }),
    );
    await api.post(
      "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers",
      object("autoscaling/v2", "HorizontalPodAutoscaler", {
        spec: {
          scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
          maxReplicas: 3,
          behavior: { scaleUp: { stabilizationWindowSeconds: 5 } },
        },
      }),
    );
  }),
  scenario("Events of both groups are one", async (api) => {
    const involvedObject = { kind: "Pod", name: "p", namespace: "{ns}" };
    await api.post(
      `${NAMESPACED.core}/events`,
      object("v1", "Event", { involvedObject, reason: "R", message: "m", type: "Normal" }),
    );
    await api.get("/apis/events.k8s.io/v1/namespaces/{ns}/events/a");
    const event = {
      ...object("events.k8s.io/v1", "Event"),
      metadata: { name: "b" },
      eventTime: "2020-01-01T00:00:00.000000Z",
      regarding: involvedObject,
      reason: "R",
      action: "A",
      type: "Normal",
      note: "n",
      reportingController: "example.com/c",
      reportingInstance: "i",
    };
    await api.post("/apis/events.k8s.io/v1/namespaces/{ns}/events", event);
    await api.get(`${NAMESPACED.core}/events/b`);
    await api.post("/apis/events.k8s.io/v1/namespaces/{ns}/events", {
      ...event,
      metadata: { name: "c" },
      reportingController: "",
    });
    await api.delete(`${NAMESPACED.core}/events/b`);
  }),
];
