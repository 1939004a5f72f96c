// The types come from kubernetes-models, which describes objects as JSON has them. The values are
// literals: made by a call, every one of them would stay in every bundle.

import type { IDaemonSet, IDeployment, IReplicaSet, IStatefulSet } from "kubernetes-models/apps/v1";
import type { IHorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import type { ICronJob, IJob } from "kubernetes-models/batch/v1";
import type { ILease } from "kubernetes-models/coordination.k8s.io/v1";
import type { IEndpointSlice } from "kubernetes-models/discovery.k8s.io/v1";
import type {
  IIngress,
  IIngressClass,
  INetworkPolicy,
} from "kubernetes-models/networking.k8s.io/v1";
import type { IPodDisruptionBudget } from "kubernetes-models/policy/v1";
import type {
  IClusterRole,
  IClusterRoleBinding,
  IRole,
  IRoleBinding,
} from "kubernetes-models/rbac.authorization.k8s.io/v1";
import type { IPriorityClass } from "kubernetes-models/scheduling.k8s.io/v1";
import type { IStorageClass } from "kubernetes-models/storage.k8s.io/v1";
import type {
  IConfigMap,
  IEndpoints,
  ILimitRange,
  INamespace,
  INode,
  IPersistentVolume,
  IPersistentVolumeClaim,
  IPod,
  IResourceQuota,
  ISecret,
  IService,
  IServiceAccount,
} from "kubernetes-models/v1";
import type { Kind, KubernetesObject } from "./object.ts";

/** A built-in object as the API server answers it: as its model, with all metadata. */
type BuiltIn<A extends string, K extends string, Model> = KubernetesObject<A, K> &
  Omit<Model, "apiVersion" | "kind" | "metadata">;

export interface Namespace extends BuiltIn<"v1", "Namespace", INamespace> {}
export const Namespace: Kind<Namespace> = {
  apiVersion: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
};

export interface ConfigMap extends BuiltIn<"v1", "ConfigMap", IConfigMap> {}
export const ConfigMap: Kind<ConfigMap> = {
  apiVersion: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  scope: "Namespaced",
};

export interface Secret extends BuiltIn<"v1", "Secret", ISecret> {}
export const Secret: Kind<Secret> = {
  apiVersion: "v1",
  kind: "Secret",
  plural: "secrets",
  scope: "Namespaced",
};

export interface Service extends BuiltIn<"v1", "Service", IService> {}
export const Service: Kind<Service> = {
  apiVersion: "v1",
  kind: "Service",
  plural: "services",
  scope: "Namespaced",
};

export interface ServiceAccount extends BuiltIn<"v1", "ServiceAccount", IServiceAccount> {}
export const ServiceAccount: Kind<ServiceAccount> = {
  apiVersion: "v1",
  kind: "ServiceAccount",
  plural: "serviceaccounts",
  scope: "Namespaced",
};

export interface Pod extends BuiltIn<"v1", "Pod", IPod> {}
export const Pod: Kind<Pod> = {
  apiVersion: "v1",
  kind: "Pod",
  plural: "pods",
  scope: "Namespaced",
};

export interface Node extends BuiltIn<"v1", "Node", INode> {}
export const Node: Kind<Node> = {
  apiVersion: "v1",
  kind: "Node",
  plural: "nodes",
  scope: "Cluster",
};

export interface PersistentVolumeClaim
  extends BuiltIn<"v1", "PersistentVolumeClaim", IPersistentVolumeClaim> {}
export const PersistentVolumeClaim: Kind<PersistentVolumeClaim> = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
  scope: "Namespaced",
};

export interface PersistentVolume extends BuiltIn<"v1", "PersistentVolume", IPersistentVolume> {}
export const PersistentVolume: Kind<PersistentVolume> = {
  apiVersion: "v1",
  kind: "PersistentVolume",
  plural: "persistentvolumes",
  scope: "Cluster",
};

export interface Endpoints extends BuiltIn<"v1", "Endpoints", IEndpoints> {}
export const Endpoints: Kind<Endpoints> = {
  apiVersion: "v1",
  kind: "Endpoints",
  plural: "endpoints",
  scope: "Namespaced",
};

export interface ResourceQuota extends BuiltIn<"v1", "ResourceQuota", IResourceQuota> {}
export const ResourceQuota: Kind<ResourceQuota> = {
  apiVersion: "v1",
  kind: "ResourceQuota",
  plural: "resourcequotas",
  scope: "Namespaced",
};

export interface LimitRange extends BuiltIn<"v1", "LimitRange", ILimitRange> {}
export const LimitRange: Kind<LimitRange> = {
  apiVersion: "v1",
  kind: "LimitRange",
  plural: "limitranges",
  scope: "Namespaced",
};

export interface Deployment extends BuiltIn<"apps/v1", "Deployment", IDeployment> {}
export const Deployment: Kind<Deployment> = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  plural: "deployments",
  scope: "Namespaced",
};

export interface ReplicaSet extends BuiltIn<"apps/v1", "ReplicaSet", IReplicaSet> {}
export const ReplicaSet: Kind<ReplicaSet> = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  plural: "replicasets",
  scope: "Namespaced",
};

export interface StatefulSet extends BuiltIn<"apps/v1", "StatefulSet", IStatefulSet> {}
export const StatefulSet: Kind<StatefulSet> = {
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  plural: "statefulsets",
  scope: "Namespaced",
};

export interface DaemonSet extends BuiltIn<"apps/v1", "DaemonSet", IDaemonSet> {}
export const DaemonSet: Kind<DaemonSet> = {
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  plural: "daemonsets",
  scope: "Namespaced",
};

export interface Job extends BuiltIn<"batch/v1", "Job", IJob> {}
export const Job: Kind<Job> = {
  apiVersion: "batch/v1",
  kind: "Job",
  plural: "jobs",
  scope: "Namespaced",
};

export interface CronJob extends BuiltIn<"batch/v1", "CronJob", ICronJob> {}
export const CronJob: Kind<CronJob> = {
  apiVersion: "batch/v1",
  kind: "CronJob",
  plural: "cronjobs",
  scope: "Namespaced",
};

export interface Ingress extends BuiltIn<"networking.k8s.io/v1", "Ingress", IIngress> {}
export const Ingress: Kind<Ingress> = {
  apiVersion: "networking.k8s.io/v1",
  kind: "Ingress",
  plural: "ingresses",
  scope: "Namespaced",
};

export interface IngressClass
  extends BuiltIn<"networking.k8s.io/v1", "IngressClass", IIngressClass> {}
export const IngressClass: Kind<IngressClass> = {
  apiVersion: "networking.k8s.io/v1",
  kind: "IngressClass",
  plural: "ingressclasses",
  scope: "Cluster",
};

export interface NetworkPolicy
  extends BuiltIn<"networking.k8s.io/v1", "NetworkPolicy", INetworkPolicy> {}
export const NetworkPolicy: Kind<NetworkPolicy> = {
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  plural: "networkpolicies",
  scope: "Namespaced",
};

export interface Role extends BuiltIn<"rbac.authorization.k8s.io/v1", "Role", IRole> {}
export const Role: Kind<Role> = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "Role",
  plural: "roles",
  scope: "Namespaced",
};

export interface RoleBinding
  extends BuiltIn<"rbac.authorization.k8s.io/v1", "RoleBinding", IRoleBinding> {}
export const RoleBinding: Kind<RoleBinding> = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "RoleBinding",
  plural: "rolebindings",
  scope: "Namespaced",
};

export interface ClusterRole
  extends BuiltIn<"rbac.authorization.k8s.io/v1", "ClusterRole", IClusterRole> {}
export const ClusterRole: Kind<ClusterRole> = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  plural: "clusterroles",
  scope: "Cluster",
};

export interface ClusterRoleBinding
  extends BuiltIn<"rbac.authorization.k8s.io/v1", "ClusterRoleBinding", IClusterRoleBinding> {}
export const ClusterRoleBinding: Kind<ClusterRoleBinding> = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  scope: "Cluster",
};

export interface PodDisruptionBudget
  extends BuiltIn<"policy/v1", "PodDisruptionBudget", IPodDisruptionBudget> {}
export const PodDisruptionBudget: Kind<PodDisruptionBudget> = {
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  plural: "poddisruptionbudgets",
  scope: "Namespaced",
};

export interface HorizontalPodAutoscaler
  extends BuiltIn<"autoscaling/v2", "HorizontalPodAutoscaler", IHorizontalPodAutoscaler> {}
export const HorizontalPodAutoscaler: Kind<HorizontalPodAutoscaler> = {
  apiVersion: "autoscaling/v2",
  kind: "HorizontalPodAutoscaler",
  plural: "horizontalpodautoscalers",
  scope: "Namespaced",
};

export interface Lease extends BuiltIn<"coordination.k8s.io/v1", "Lease", ILease> {}
export const Lease: Kind<Lease> = {
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  plural: "leases",
  scope: "Namespaced",
};

export interface EndpointSlice
  extends BuiltIn<"discovery.k8s.io/v1", "EndpointSlice", IEndpointSlice> {}
export const EndpointSlice: Kind<EndpointSlice> = {
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  plural: "endpointslices",
  scope: "Namespaced",
};

export interface PriorityClass
  extends BuiltIn<"scheduling.k8s.io/v1", "PriorityClass", IPriorityClass> {}
export const PriorityClass: Kind<PriorityClass> = {
  apiVersion: "scheduling.k8s.io/v1",
  kind: "PriorityClass",
  plural: "priorityclasses",
  scope: "Cluster",
};

export interface StorageClass extends BuiltIn<"storage.k8s.io/v1", "StorageClass", IStorageClass> {}
export const StorageClass: Kind<StorageClass> = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  plural: "storageclasses",
  scope: "Cluster",
};
