import { readFile } from "node:fs/promises";
import type { RoleBindingManifest, RoleManifest } from "../../shared/crd/roles.ts";

/** A line of the audit log. */
interface AuditEvent {
  readonly user: { readonly username: string };
  readonly verb: string;
  readonly requestURI: string;
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
}

/** One verb on one resource. As text: "user: namespace group/resource [name] verb". */
interface Part {
  /** "*": all. */
  readonly namespace: string;
  readonly resource: string;
  /** "*": all. */
  readonly name: string;
  readonly verb: string;
}

/** What each user was refused, what they were allowed and never did, and what they did. */
export interface AuditReport {
  readonly forbidden: readonly string[];
  readonly unused: readonly string[];
  /** Calls that no role of theirs grants. */
  readonly ungranted: readonly string[];
  readonly calls: number;
}

export type UserRoles = ReadonlyMap<string, readonly (RoleManifest | RoleBindingManifest)[]>;

/** Compares the audit log with the roles of these users. */
export async function auditReport(path: string, roles: UserRoles): Promise<AuditReport> {
  const text = await readFile(path, "utf8");
  // The last line may be half written.
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  const events = lines.flatMap((line) => (line === "" ? [] : [JSON.parse(line) as AuditEvent]));
  const ours = events.filter(({ user }) => roles.has(user.username));
  const used = new Map([...roles.keys()].map((user) => [user, new Map<string, Part>()]));
  const forbidden = new Set<string>();
  for (const event of ours) {
    const { user, verb, requestURI, responseStatus } = event;
    if (responseStatus?.code === 403) forbidden.add(`${user.username}: ${verb} ${requestURI}`);
    for (const part of partsOf(event)) used.get(user.username)?.set(shown(part), part);
  }
  const unused: string[] = [];
  const ungranted: string[] = [];
  for (const [user, manifests] of roles) {
    const granted = manifests.flatMap(grantsOf);
    const done = [...(used.get(user)?.values() ?? [])];
    const idle = granted.filter((grant) => !done.some((part) => covers(grant, part)));
    const beyond = done.filter((part) => !granted.some((grant) => covers(grant, part)));
    unused.push(...idle.map((part) => `${user}: ${shown(part)}`));
    ungranted.push(...beyond.map((part) => `${user}: ${shown(part)}`));
  }
  return { forbidden: [...forbidden].sort(), unused, ungranted, calls: ours.length };
}

/** A server-side apply that made its object (201) was asked for create, too. */
function partsOf({ verb, objectRef = {}, responseStatus }: AuditEvent): readonly Part[] {
  const { apiGroup = "", resource = "", subresource, namespace = "", name = "" } = objectRef;
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const part = { namespace, resource: `${apiGroup}/${full}`, name, verb };
  const made = verb === "patch" && responseStatus?.code === 201;
  return made ? [part, { ...part, verb: "create" }] : [part];
}

function grantsOf(manifest: RoleManifest | RoleBindingManifest): readonly Part[] {
  if (!("rules" in manifest)) return [];
  const { namespace = "*" } = manifest.metadata;
  return manifest.rules.flatMap(({ apiGroups, resources, resourceNames = ["*"], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        resourceNames.flatMap((name) =>
          verbs.map((verb) => ({ namespace, resource: `${group}/${resource}`, name, verb })),
        ),
      ),
    ),
  );
}

function covers(grant: Part, part: Part): boolean {
  const within = (pattern: string, value: string) => pattern === "*" || pattern === value;
  return (
    grant.resource === part.resource &&
    grant.verb === part.verb &&
    within(grant.namespace, part.namespace) &&
    within(grant.name, part.name)
  );
}

function shown({ namespace, resource, name, verb }: Part): string {
  return `${verb} ${resource} ${name} in ${namespace === "" ? "no namespace" : namespace}`;
}
