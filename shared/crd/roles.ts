import { type Controller, type Source, sourcesOf } from "../api/controller.ts";
import { Namespace } from "../api/kinds.ts";
import { EVENTS, named, type Permission, permissionsOf } from "../api/permissions.ts";
import { type Need, type RoleRule, type RoleRules, rulesOf } from "./role-rules.ts";

/** Whom a role is for. */
export type RoleSubject =
  | { readonly kind: "Group" | "User"; readonly name: string }
  | { readonly kind: "ServiceAccount"; readonly name: string; readonly namespace: string };

export interface RoleOptions {
  readonly subject: RoleSubject;
  /** Begins the names of roles and bindings, so that two platforms share a cluster; default "tidegate". */
  readonly platform?: string;
}

interface RoleMeta {
  readonly name: string;
  readonly namespace?: string;
}

/** A ClusterRole, or the Role of one namespace. */
export interface RoleManifest {
  readonly apiVersion: "rbac.authorization.k8s.io/v1";
  readonly kind: "ClusterRole" | "Role";
  readonly metadata: RoleMeta;
  readonly rules: readonly RoleRule[];
}

/** What binds the role of the same kind, name and namespace to its subject. */
export interface RoleBindingManifest {
  readonly apiVersion: "rbac.authorization.k8s.io/v1";
  readonly kind: "ClusterRoleBinding" | "RoleBinding";
  readonly metadata: RoleMeta;
  readonly roleRef: {
    readonly apiGroup: "rbac.authorization.k8s.io";
    readonly kind: "ClusterRole" | "Role";
    readonly name: string;
  };
  readonly subjects: readonly object[];
}

/**
 * The roles of a controller's function, each followed by its binding to the subject: a ClusterRole
 * "tidegate:function:NAME", and Roles of that name where the definition says `namespaces`. They allow
 * what the function does by the definition, and nothing more. The same definition gives the same roles.
 */
export function functionRoles(
  controller: Controller,
  { subject, platform = PLATFORM }: RoleOptions,
): readonly (RoleManifest | RoleBindingManifest)[] {
  const needs = permissionsOf(controller).map((each) => needOf(controller, each));
  return bound(rulesOf(needs), `${platform}:function:${controller.name}`, subject);
}

/**
 * The roles of the watcher of these controllers, "tidegate:watcher", with their bindings. It lists and
 * watches every source, and reads the namespace kube-system, by whose uid it knows the cluster.
 */
export function watcherRoles(
  controllers: readonly Controller[],
  { subject, platform = PLATFORM }: RoleOptions,
): readonly (RoleManifest | RoleBindingManifest)[] {
  const needs = controllers.flatMap((controller) =>
    sourcesOf(controller).map((source) => sourceNeed(controller, source)),
  );
  const cluster: Need = { kind: Namespace, verbs: ["get"], names: ["kube-system"] };
  return bound(rulesOf([cluster, ...needs]), `${platform}:watcher`, subject);
}

const PLATFORM = "tidegate";
const API_GROUP = "rbac.authorization.k8s.io";
const API_VERSION = `${API_GROUP}/v1`;

function needOf(controller: Controller, permission: Permission): Need {
  const { kind, verbs, subresource, names } = permission;
  // Events about cluster-scoped objects are in the namespace "default".
  const cluster = controller.for.scope === "Cluster" && kind === EVENTS;
  return {
    kind,
    verbs,
    subresource,
    ...(names && { names }),
    namespaces: cluster ? ["default"] : namespacesOf(controller, kind),
  };
}

function sourceNeed(controller: Controller, { kind, fields }: Source): Need {
  return {
    kind,
    verbs: ["list", "watch"],
    ...named(fields),
    namespaces: namespacesOf(controller, kind),
  };
}

function namespacesOf({ namespaces }: Controller, { scope }: Source["kind"]) {
  return scope === "Namespaced" ? namespaces : undefined;
}

function bound(
  places: readonly RoleRules[],
  name: string,
  subject: RoleSubject,
): readonly (RoleManifest | RoleBindingManifest)[] {
  return places.flatMap(({ namespace, rules }): (RoleManifest | RoleBindingManifest)[] => {
    const kind = namespace === undefined ? "ClusterRole" : "Role";
    const metadata = { name, ...(namespace !== undefined && { namespace }) };
    return [
      { apiVersion: API_VERSION, kind, metadata, rules },
      {
        apiVersion: API_VERSION,
        kind: `${kind}Binding`,
        metadata,
        roleRef: { apiGroup: API_GROUP, kind, name },
        subjects: [subjectOf(subject)],
      },
    ];
  });
}

/** As the API server answers it: users and groups are of its own group, service accounts of none. */
function subjectOf(subject: RoleSubject): object {
  return subject.kind === "ServiceAccount" ? subject : { apiGroup: API_GROUP, ...subject };
}
