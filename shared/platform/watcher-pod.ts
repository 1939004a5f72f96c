import {
  BUNDLE_FILE,
  bundleName,
  CONFIG,
  HEALTH_PORT,
  SELECTOR,
  WATCHER,
  type WatcherOptions,
} from "./watcher-options.ts";

/**
 * The spec of a watcher's pod. Takes the level "restricted" of Pod Security: not root, a root file
 * system that nobody writes to, no capabilities.
 * https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
 */
export function watcherPod(options: Pick<WatcherOptions, "image" | "bundle">): object {
  const { image, bundle } = options;
  return {
    serviceAccountName: WATCHER,
    // By its token it lists and watches. Whatever else used the account would not get one by itself.
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    nodeSelector: { "kubernetes.io/os": "linux" },
    securityContext: {
      runAsNonRoot: true,
      runAsUser: NODE_USER,
      runAsGroup: NODE_USER,
      fsGroup: NODE_USER,
      seccompProfile: { type: "RuntimeDefault" },
    },
    topologySpreadConstraints: ["topology.kubernetes.io/zone", "kubernetes.io/hostname"].map(
      spread,
    ),
    containers: [container(image, bundle !== undefined)],
    ...(bundle && { volumes: volumes(bundleName(bundle)) }),
  };
}

/** The user "node" of Node's own images. https://github.com/nodejs/docker-node/blob/main/docs/BestPractices.md */
const NODE_USER = 1000;

/** Where possible: a cluster with one zone, or one node, has both replicas all the same. */
function spread(topologyKey: string): object {
  return {
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: "ScheduleAnyway",
    labelSelector: { matchLabels: SELECTOR },
    matchLabelKeys: ["pod-template-hash"], // Else pods of the last version would count.
  };
}

function container(image: string, bundled: boolean): object {
  const probe = (path: string) => ({ httpGet: { path, port: "health" } });
  return {
    name: WATCHER,
    image,
    ...(bundled && { command: ["node", "--input-type=module", "--eval", UNPACK] }),
    envFrom: [{ configMapRef: { name: CONFIG } }],
    env: [
      { name: "TIDEGATE_POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      { name: "TIDEGATE_PORT", value: String(HEALTH_PORT) },
    ],
    ports: [{ name: "health", containerPort: HEALTH_PORT }],
    // Until every source has synced or is known not to, which a slow API server can make long.
    startupProbe: { ...probe("/healthz"), periodSeconds: 2, failureThreshold: 60 },
    livenessProbe: { ...probe("/healthz"), periodSeconds: 10, failureThreshold: 3 },
    readinessProbe: { ...probe("/readyz"), periodSeconds: 5 },
    // A deploy that fails tells the last lines of the log.
    terminationMessagePolicy: "FallbackToLogsOnError",
    // Caches of 10,000 objects take some 100 MB; no limit of CPU, for a throttled leader loses its lease.
    resources: { requests: { cpu: "100m", memory: "256Mi" }, limits: { memory: "512Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    ...(bundled && { volumeMounts: MOUNTS }),
  };
}

const BUNDLE_DIR = "/opt/tidegate";
const RUN_DIR = "/run/tidegate";

/** A module needs a file: one made of text has no `import.meta.url`. */
const UNPACK = [
  'import { readFileSync, writeFileSync } from "node:fs";',
  'import { gunzipSync } from "node:zlib";',
  `const program = "${RUN_DIR}/watcher.mjs";`,
  `writeFileSync(program, gunzipSync(readFileSync("${BUNDLE_DIR}/${BUNDLE_FILE}")));`,
  "await import(program);",
].join("\n");

const MOUNTS = [
  { name: "bundle", mountPath: BUNDLE_DIR, readOnly: true },
  { name: "run", mountPath: RUN_DIR },
];

function volumes(name: string): readonly object[] {
  return [
    { name: "bundle", configMap: { name } },
    { name: "run", emptyDir: { sizeLimit: "32Mi" } },
  ];
}
