import {
  CONFIG_MAPS,
  configMap,
  DEPLOYMENTS,
  defineWidgets,
  deployment,
  JOBS,
  PODS,
  pod,
  SECRETS,
  SERVICES,
  service,
  template,
  WIDGETS,
  widget,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const main = (more: object) => ({ containers: [{ name: "main", image: "app:1", ...more }] });

export const scenarios = [
  scenario("labels and annotations", async (api) => {
    const meta = (metadata: object) => api.post(CONFIG_MAPS, configMap("a", {}, metadata));
    await meta({ labels: { "bad key!": "x" } });
    await meta({ labels: { a: "bad value!" } });
    await meta({ labels: { a: "x".repeat(64) } });
    await meta({ labels: { "/a": "x", "a/b/c": "y" } });
    await meta({ labels: { "Example.com/a": "" } });
    await meta({ labels: { [`${"x".repeat(64)}`]: "" } });
    await meta({ annotations: { "bad key!": "x" } });
    await meta({
      annotations: { Upper: "any value!" },
      labels: { "example.com/Ok_1.2-3": "Ok_1.2-3" },
    });
  }),
  scenario("a ConfigMap and a Secret", async (api) => {
    await api.post(CONFIG_MAPS, configMap("a", { data: { "bad key": "x", "..": "y", ".": "z" } }));
    await api.post(CONFIG_MAPS, configMap("a", { data: { a: "1" }, binaryData: { a: "AAEC" } }));
    const secret = (more: object) => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "a" },
      ...more,
    });
    await api.post(SECRETS, secret({ data: { "bad key": "AAEC" } }));
    await api.post(SECRETS, secret({ data: { a: "no base64" } }));
    await api.post(SECRETS, secret({ type: "kubernetes.io/tls" }));
    await api.post(SECRETS, secret({ type: "kubernetes.io/basic-auth" }));
    await api.post(
      SECRETS,
      secret({ type: "kubernetes.io/dockerconfigjson", stringData: { ".dockerconfigjson": "{" } }),
    );
  }),
  scenario("a Deployment", async (api) => {
    const post = (spec: object) => api.post(DEPLOYMENTS, deployment("a", spec));
    await post({ selector: { matchLabels: { app: "other" } } });
    await post({ selector: {} });
    await post({ selector: undefined });
    await post({ selector: { matchLabels: { "bad!": "x" } } });
    await post({ selector: { matchExpressions: [{ key: "app", operator: "Like" }] } });
    await post({ selector: { matchExpressions: [{ key: "app", operator: "In" }] } });
    await post({ replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1 });
    await post({ strategy: { type: "Sideways" } });
    await post({ strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } });
    await post({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } });
    await post({ strategy: { rollingUpdate: { maxSurge: "x%" } } });
    await post({ template: undefined });
    await post({ template: template("a", { restartPolicy: "Never" }) });
    await post({ progressDeadlineSeconds: 5, minReadySeconds: 10 });
    await api.post(DEPLOYMENTS, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "a" },
    });
  }),
  scenario("a Pod's containers", async (api) => {
    const post = (spec: object) => api.post(PODS, pod("a", spec));
    await post({ containers: [] });
    await post({ containers: undefined });
    await post({ containers: [{ name: "Main_1", image: "" }] });
    await post({
      containers: [
        { name: "x", image: "a" },
        { name: "x", image: "b" },
      ],
    });
    await post(main({ image: " app:1" }));
    await post(main({ imagePullPolicy: "Sometimes" }));
    await post(main({ ports: [{ containerPort: 0 }, { containerPort: 70000, protocol: "HTTP" }] }));
    await post(
      main({
        ports: [
          { containerPort: 80, name: "UPPER" },
          { containerPort: 81, name: "a-very-long-port-name" },
        ],
      }),
    );
    await post(main({ env: [{ name: "1 bad", value: "x" }, { value: "x" }] }));
    await post(
      main({
        env: [{ name: "A", value: "x", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
      }),
    );
    await post(
      main({ env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.nothing" } } }] }),
    );
    await post(main({ terminationMessagePolicy: "Loud" }));
    await post(main({ volumeMounts: [{ name: "none", mountPath: "/x" }] }));
    await post(main({ livenessProbe: { periodSeconds: -1 } }));
    await post(main({ livenessProbe: { httpGet: { port: "no such port", path: "/" } } }));
  }),
  scenario("a Pod's other fields", async (api) => {
    const post = (spec: object) => api.post(PODS, pod("a", spec));
    await post({ restartPolicy: "Sometimes", dnsPolicy: "None" });
    await post({ volumes: [{ name: "v", emptyDir: {}, configMap: { name: "c" } }] });
    await post({ volumes: [{ name: "v" }, { name: "v" }, { name: "Bad_" }] });
    await post({ nodeSelector: { a: "bad value!" } });
    await post({ tolerations: [{ operator: "Like" }] });
    await post({ serviceAccountName: "Bad_" });
    await post({ hostname: "Bad_", terminationGracePeriodSeconds: -5 });
    await post({ activeDeadlineSeconds: 0 });
  }),
  scenario("quantities", async (api) => {
    const resources = (requests: object, limits: object = {}) =>
      api.post(PODS, pod("a", main({ resources: { requests, limits } })));
    await resources({ cpu: "lots" });
    await resources({ cpu: "-1" });
    await resources({ cpu: "2" }, { cpu: "1" });
    await resources({ nothing: "1" });
    await resources({ memory: "1.5" });
    await api.post(
      PODS,
      pod(
        "b",
        main({
          resources: {
            requests: { cpu: 0.5, memory: "1024Mi" },
            limits: { cpu: "1000m", memory: "1e9" },
          },
        }),
      ),
    );
  }),
  scenario("a Service", async (api) => {
    const post = (spec: object) => api.post(SERVICES, service("a", spec));
    await post({ ports: [] });
    await post({ ports: [{ port: 0 }] });
    await post({ ports: [{ port: 70000, protocol: "HTTP", targetPort: "Bad_name" }] });
    await post({ ports: [{ port: 80 }, { port: 81 }] });
    await post({
      ports: [
        { port: 80, name: "a" },
        { port: 80, name: "b" },
      ],
    });
    await post({
      ports: [
        { port: 80, name: "a" },
        { port: 81, name: "a" },
      ],
    });
    await post({ type: "Sideways" });
    await post({ type: "ExternalName" });
    await post({ clusterIP: "300.1.1.1" });
    await post({ clusterIP: "8.8.8.8" });
    await post({ selector: { "bad!": "x" } });
    await post({ sessionAffinity: "Sometimes" });
    await post({ type: "ClusterIP", ports: [{ port: 80, nodePort: 30000 }] });
  }),
  scenario("a Job and a CronJob", async (api) => {
    const job = (spec: object) => ({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "a" },
      spec,
    });
    await api.post(JOBS, job({ template: template("a") }));
    await api.post(
      JOBS,
      job({
        template: template("a", { restartPolicy: "Never" }),
        parallelism: -1,
        backoffLimit: -1,
      }),
    );
    await api.post(
      JOBS,
      job({ template: template("a", { restartPolicy: "Never" }), completionMode: "Odd" }),
    );
    const spec = (schedule: string, more: object = {}) => ({
      schedule,
      jobTemplate: { spec: { template: template("a", { restartPolicy: "Never" }) } },
      ...more,
    });
    const cron = (of: object) => ({
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "a" },
      spec: of,
    });
    const path = "/apis/batch/v1/namespaces/{ns}/cronjobs";
    await api.post(path, cron(spec("whenever")));
    await api.post(path, cron(spec("")));
    await api.post(
      path,
      cron(spec("* * * * *", { concurrencyPolicy: "Maybe", timeZone: "Mars/North" })),
    );
  }),
  scenario("a custom resource", async (api) => {
    await defineWidgets(api);
    const post = (spec: unknown) => api.post(`${WIDGETS}?dryRun=All`, widget("a", { spec }));
    await post({ size: 101 });
    await post({ size: "1" });
    await post({ size: 1.5 });
    await post({ color: "pink" });
    await post({ color: null, mode: null, note: null });
    await post({ tags: ["a", "a"] });
    await post({ ports: [{ port: 80 }, { port: 80 }] });
    await post({ ports: [{}] });
    await post({ tags: "a", steps: {}, limits: [], ports: [1] });
    await post({ limits: { a: 1 } });
    await post("text");
    await post(null);
  }),
];
