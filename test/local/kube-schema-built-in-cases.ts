type Fields = Readonly<Record<string, unknown>>;

/** An object that is created on a real kube-apiserver; the answers are in kube-schema-built-in-answers.json. */
export interface BuiltInCase {
  readonly name: string;
  readonly object: Fields & { readonly apiVersion: string; readonly kind: string };
}

const labels = { app: "a" };
const selector = { matchLabels: labels };
const container = { name: "main", image: "nginx" };
const podSpec = { containers: [container] };
const template = { metadata: { labels }, spec: podSpec };

function of(apiVersion: string, kind: string, fields: Fields = {}, name = ""): BuiltInCase {
  const metadata = { name: "x", ...(fields.metadata as Fields | undefined) };
  return { name: `${kind} ${name}`.trim(), object: { apiVersion, kind, ...fields, metadata } };
}

const pod = (spec: Fields, name: string) => of("v1", "Pod", { spec }, name);
const withContainer = (fields: Fields, name: string) =>
  pod({ containers: [{ ...container, ...fields }] }, name);
const deployment = (spec: Fields, name: string) =>
  of("apps/v1", "Deployment", { spec: { selector, template, ...spec } }, name);
const service = (spec: Fields, name: string) => of("v1", "Service", { spec }, name);
const ports = [{ port: 80 }];
const job = (spec: Fields, name: string) =>
  of(
    "batch/v1",
    "Job",
    { spec: { template: { spec: { ...podSpec, restartPolicy: "Never" } }, ...spec } },
    name,
  );

/** Objects that are taken. */
export const validBuiltIns: readonly BuiltInCase[] = [
  of("v1", "Namespace"),
  of("v1", "ConfigMap"),
  of(
    "v1",
    "ConfigMap",
    { data: {}, immutable: false, binaryData: { a: "aGk=" } },
    "with empty fields",
  ),
  of("v1", "ConfigMap", { data: null, metadata: { labels: null, annotations: {} } }, "with nulls"),
  of("v1", "Secret"),
  of("v1", "Secret", { stringData: { a: "hi", b: "ü" }, data: { b: "eA==" } }, "with text"),
  of("v1", "ServiceAccount"),
  of("v1", "Node"),
  of("v1", "Node", { status: { capacity: { cpu: "2", memory: "1024Mi" } } }, "with capacity"),
  of("v1", "Event", {
    metadata: { namespace: "default" },
    involvedObject: { kind: "Pod", name: "x", namespace: "default" },
  }),
  of(
    "events.k8s.io/v1",
    "Event",
    {
      metadata: { namespace: "default" },
      eventTime: "2026-11-30T18:12:19.123456Z",
      action: "a",
      reason: "r",
      type: "Normal",
      reportingController: "a.example/b",
      reportingInstance: "i",
      regarding: { kind: "Pod", name: "x", namespace: "default" },
    },
    "of events.k8s.io",
  ),
  of("v1", "PersistentVolumeClaim", {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } },
  }),
  of("v1", "Endpoints", { subsets: [{ addresses: [{ ip: "10.0.0.1" }], ports }] }),
  pod(podSpec, "minimal"),
  withContainer({ resources: { limits: { cpu: "0.5", memory: "1024Mi" } } }, "with limits"),
  withContainer(
    { resources: { requests: { cpu: 1, memory: "1e3" }, limits: { cpu: "1500m" } } },
    "with requests",
  ),
  withContainer(
    {
      image: "a.example:5000/b/c",
      ports: [{ containerPort: 80 }, { containerPort: 53, protocol: "UDP", hostPort: 0 }],
    },
    "with ports",
  ),
  withContainer(
    { image: "nginx:1.2@sha256:0123456789012345678901234567890123456789012345678901234567890123" },
    "with digest and tag",
  ),
  withContainer(
    {
      image:
        "a.example:5000/b@sha256:0123456789012345678901234567890123456789012345678901234567890123",
    },
    "with digest",
  ),
  withContainer(
    {
      livenessProbe: { httpGet: { port: 80 } },
      readinessProbe: { tcpSocket: { port: "web" }, timeoutSeconds: 0, initialDelaySeconds: 0 },
      startupProbe: { grpc: { port: 1 } },
    },
    "with probes",
  ),
  withContainer(
    {
      lifecycle: { preStop: { httpGet: { port: 80 } } },
      env: [
        { name: "A" },
        { name: "B", value: "" },
        { name: "C", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      ],
      command: [],
      tty: false,
    },
    "with env and empty fields",
  ),
  pod(
    {
      ...podSpec,
      serviceAccountName: "default",
      volumes: [
        { name: "a" },
        { name: "b", secret: { secretName: "s" } },
        { name: "c", configMap: { name: "c" } },
        { name: "d", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } },
        { name: "e", hostPath: { path: "/" } },
        {
          name: "f",
          downwardAPI: { items: [{ path: "p", fieldRef: { fieldPath: "metadata.name" } }] },
        },
        { name: "g", emptyDir: { sizeLimit: "1000Ki" } },
        { name: "h", persistentVolumeClaim: { claimName: "p" } },
      ],
    },
    "with volumes",
  ),
  pod(
    {
      ...podSpec,
      hostNetwork: true,
      containers: [{ ...container, ports: [{ containerPort: 80 }] }],
    },
    "on the host network",
  ),
  pod(
    {
      ...podSpec,
      initContainers: [{ name: "i", image: "b:latest" }],
      serviceAccount: "default",
      nodeSelector: {},
      tolerations: [{ key: "a", operator: "Exists" }],
      terminationGracePeriodSeconds: 0,
      hostNetwork: false,
      priorityClassName: "system-node-critical",
    },
    "with more",
  ),
  pod(
    {
      ...podSpec,
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: "zone",
          whenUnsatisfiable: "DoNotSchedule",
          labelSelector: selector,
        },
      ],
      affinity: { nodeAffinity: {} },
      securityContext: { runAsUser: 0 },
    },
    "with spread",
  ),
  service({ ports }, "minimal"),
  service(
    {
      ports: [
        { port: 80, targetPort: "web", name: "a" },
        { port: 81, targetPort: 0, name: "b", protocol: "UDP" },
      ],
      selector: labels,
      sessionAffinity: "ClientIP",
    },
    "with affinity",
  ),
  service({ ports, clusterIP: "None" }, "headless"),
  service({ clusterIP: "None" }, "headless without ports"),
  service({ type: "ExternalName", externalName: "a.example" }, "of an external name"),
  service({ type: "NodePort", ports: [{ port: 80, nodePort: 30_080 }] }, "on nodes"),
  service(
    { type: "LoadBalancer", ports: [{ port: 80, nodePort: 30_081 }] },
    "with a load balancer",
  ),
  deployment({}, "minimal"),
  deployment(
    { replicas: 0, paused: false, minReadySeconds: 0, strategy: { type: "Recreate" } },
    "with empty fields",
  ),
  deployment({ strategy: { rollingUpdate: { maxSurge: 1 } } }, "with a strategy"),
  deployment(
    {
      template: {
        ...template,
        spec: {
          ...podSpec,
          hostNetwork: true,
          containers: [{ ...container, resources: { limits: { cpu: "0.1" } } }],
        },
      },
    },
    "with limits",
  ),
  of("apps/v1", "ReplicaSet", { spec: { selector, template } }),
  of("apps/v1", "DaemonSet", { spec: { selector, template } }),
  of("apps/v1", "StatefulSet", { spec: { selector, template, serviceName: "s" } }),
  of(
    "apps/v1",
    "StatefulSet",
    {
      spec: {
        selector,
        template,
        updateStrategy: { type: "RollingUpdate" },
        volumeClaimTemplates: [
          {
            metadata: { name: "d" },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        ],
      },
    },
    "with claims",
  ),
  of("apps/v1", "ControllerRevision", { revision: 1, data: { a: null } }),
  job({}, "minimal"),
  job(
    { parallelism: 2, backoffLimitPerIndex: 1, completions: 2, completionMode: "Indexed" },
    "indexed",
  ),
  job(
    {
      template: { metadata: { labels }, spec: { ...podSpec, restartPolicy: "OnFailure" } },
      ttlSecondsAfterFinished: 0,
      suspend: true,
    },
    "with labels",
  ),
  job(
    {
      manualSelector: true,
      selector,
      template: { metadata: { labels }, spec: { ...podSpec, restartPolicy: "Never" } },
    },
    "with a selector",
  ),
  of("batch/v1", "CronJob", {
    spec: {
      schedule: "* * * * *",
      jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: "Never" } } } },
    },
  }),
  of("networking.k8s.io/v1", "Ingress", {
    spec: {
      rules: [
        {
          host: "a.example",
          http: {
            paths: [
              {
                path: "/",
                pathType: "Prefix",
                backend: { service: { name: "s", port: { number: 80 } } },
              },
            ],
          },
        },
      ],
    },
  }),
  of("networking.k8s.io/v1", "IngressClass", { spec: { controller: "a.example/b" } }),
  of("networking.k8s.io/v1", "NetworkPolicy", {
    spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] },
  }),
  of(
    "networking.k8s.io/v1",
    "NetworkPolicy",
    { spec: { podSelector: selector, egress: [{}] } },
    "with egress",
  ),
  of("rbac.authorization.k8s.io/v1", "Role", {
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  }),
  of("rbac.authorization.k8s.io/v1", "Role", {}, "without rules"),
  of("rbac.authorization.k8s.io/v1", "RoleBinding", {
    roleRef: { kind: "Role", name: "r" },
    subjects: [
      { kind: "User", name: "u" },
      { kind: "ServiceAccount", name: "s", namespace: "n" },
    ],
  }),
  of("rbac.authorization.k8s.io/v1", "ClusterRole", {
    rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }],
  }),
  of("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "r" },
    subjects: [{ kind: "Group", name: "g" }],
  }),
  of("policy/v1", "PodDisruptionBudget", { spec: { selector, minAvailable: 1 } }),
  of("autoscaling/v2", "HorizontalPodAutoscaler", {
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
    },
  }),
  of(
    "autoscaling/v2",
    "HorizontalPodAutoscaler",
    {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
        behavior: { scaleDown: { stabilizationWindowSeconds: 5 } },
        metrics: [
          {
            type: "Resource",
            resource: { name: "memory", target: { type: "AverageValue", averageValue: "0.5Gi" } },
          },
        ],
      },
    },
    "with behavior",
  ),
  of(
    "autoscaling/v1",
    "HorizontalPodAutoscaler",
    {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
      },
    },
    "v1",
  ),
  of("coordination.k8s.io/v1", "Lease"),
  of(
    "coordination.k8s.io/v1",
    "Lease",
    {
      spec: {
        holderIdentity: "a",
        leaseDurationSeconds: 15,
        renewTime: "2026-11-30T18:12:19.000000Z",
        leaseTransitions: 0,
      },
    },
    "held",
  ),
  of("discovery.k8s.io/v1", "EndpointSlice", {
    addressType: "IPv4",
    endpoints: [{ addresses: ["10.0.0.1"] }],
    ports: [{ port: 80 }],
  }),
  of("scheduling.k8s.io/v1", "PriorityClass", { value: 5 }),
  of("storage.k8s.io/v1", "StorageClass", { provisioner: "a.example/b" }),
  of("flowcontrol.apiserver.k8s.io/v1", "FlowSchema", {
    spec: { priorityLevelConfiguration: { name: "global-default" } },
  }),
  of("flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", {
    spec: { type: "Limited", limited: { limitResponse: { type: "Queue", queuing: {} } } },
  }),
  of("apiextensions.k8s.io/v1", "CustomResourceDefinition", {
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      names: { kind: "Thing", plural: "things" },
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
  }),
];
