import type { Kind } from "../shared/api/object.ts";
import { text } from "./scaffold-text.ts";

const POD_SPEC = "{ containers: [{ name: web, image: nginx:1.29 }] }";
const POD_TEMPLATE = `{ metadata: { labels: { app: hello } }, spec: ${POD_SPEC} }`;
const SELECTOR = "{ matchLabels: { app: hello } }";
const WORKLOAD = text`
  spec:
    selector: ${SELECTOR}
    template: ${POD_TEMPLATE}
`;
const JOB_TEMPLATE = `{ spec: { restartPolicy: Never, containers: [{ name: work, image: "busybox:1.37" }] } }`;
const ROLE_RULES = 'rules: [{ apiGroups: [""], resources: [pods], verbs: [get] }]\n';

/** What a small object of a kind has beside apiVersion, kind and metadata; kinds that need nothing are left out. */
const BODIES: Readonly<Record<string, string>> = {
  ConfigMap: "data:\n  message: hello\n",
  Secret: "stringData:\n  message: hello\n",
  Service: "spec:\n  selector: { app: hello }\n  ports: [{ port: 80 }]\n",
  Pod: `spec: ${POD_SPEC}\n`,
  PersistentVolumeClaim:
    "spec:\n  accessModes: [ReadWriteOnce]\n  resources: { requests: { storage: 1Gi } }\n",
  PersistentVolume:
    "spec:\n  accessModes: [ReadWriteOnce]\n  capacity: { storage: 1Gi }\n  hostPath: { path: /data }\n",
  ResourceQuota: 'spec:\n  hard: { pods: "10" }\n',
  LimitRange: "spec:\n  limits: [{ type: Container, default: { memory: 128Mi } }]\n",
  Deployment: WORKLOAD,
  ReplicaSet: WORKLOAD,
  StatefulSet: `${WORKLOAD}  serviceName: hello\n`,
  DaemonSet: WORKLOAD,
  Job: `spec:\n  template: ${JOB_TEMPLATE}\n`,
  CronJob: `spec:\n  schedule: "0 4 * * *"\n  jobTemplate: { spec: { template: ${JOB_TEMPLATE} } }\n`,
  Ingress: "spec:\n  defaultBackend: { service: { name: hello, port: { number: 80 } } }\n",
  IngressClass: "spec:\n  controller: example.com/hello\n",
  NetworkPolicy: "spec:\n  podSelector: {}\n  policyTypes: [Ingress]\n",
  Role: ROLE_RULES,
  ClusterRole: ROLE_RULES,
  RoleBinding: bindingTo("Role"),
  ClusterRoleBinding: bindingTo("ClusterRole"),
  PodDisruptionBudget: `spec:\n  minAvailable: 1\n  selector: ${SELECTOR}\n`,
  HorizontalPodAutoscaler:
    "spec:\n  maxReplicas: 3\n  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: hello }\n",
  Lease: "spec:\n  holderIdentity: hello\n  leaseDurationSeconds: 15\n",
  EndpointSlice: 'addressType: IPv4\nendpoints: [{ addresses: ["10.0.0.1"] }]\n',
  PriorityClass: "value: 1000\n",
  StorageClass: "provisioner: example.com/hello\n",
};

/** A small object of a built-in kind, as YAML; undefined for other kinds. */
export function builtInManifest(kind: Kind & { readonly file?: string }): string | undefined {
  if (kind.file !== undefined) return undefined;
  const head = `apiVersion: ${kind.apiVersion}\nkind: ${kind.kind}\nmetadata:\n  name: hello\n`;
  return head + (BODIES[kind.kind] ?? "");
}

function bindingTo(role: "Role" | "ClusterRole"): string {
  return text`
    roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ${role}, name: hello }
    subjects: [{ kind: ServiceAccount, name: hello, namespace: default }]
  `;
}
