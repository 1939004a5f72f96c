import * as builtIn from "../../shared/api/kinds.ts";
import { groupKindOf, type Key, type Kind } from "../../shared/api/object.ts";
import { withChecksum } from "../../shared/platform/config-checksum.ts";
import { Definition } from "../../shared/platform/definition-kind.ts";
import { objectText } from "../../shared/platform/object-list.ts";

/** Which object. */
export interface ObjectRef {
  readonly kind: Kind;
  readonly key: Key;
}

/** An object as it is to be. */
export interface Manifest extends ObjectRef {
  readonly object: object;
}

const FlowSchema: Kind = {
  apiVersion: "flowcontrol.apiserver.k8s.io/v1",
  kind: "FlowSchema",
  plural: "flowschemas",
  scope: "Cluster",
};

/** The kinds that a platform consists of, in the order in which one needs another. */
export const MANIFEST_KINDS: readonly Kind[] = [
  builtIn.Namespace,
  Definition,
  builtIn.ServiceAccount,
  builtIn.ClusterRole,
  builtIn.ClusterRoleBinding,
  builtIn.Role,
  builtIn.RoleBinding,
  builtIn.ConfigMap,
  FlowSchema,
  builtIn.PodDisruptionBudget,
  builtIn.Deployment,
];

/**
 * The manifests of a JSON text, an array of objects. `${NAME}` in texts of objects other than definitions
 * becomes the value of that name. Fails naming the object that is none of ours, or a name without a value.
 */
export function readManifests(
  text: string,
  values: Readonly<Record<string, string>>,
): readonly Manifest[] {
  const objects = JSON.parse(text) as readonly RawManifest[];
  const filled = objects.map((object) =>
    object.kind === Definition.kind ? object : (replaced(object, values) as RawManifest),
  );
  return withChecksum(filled).map((object) => ({ ...refOf(object), object }));
}

interface RawManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

function refOf({ apiVersion, kind, metadata }: RawManifest): ObjectRef {
  const known = kindOf(apiVersion, kind);
  const { name, namespace = "" } = metadata;
  if (!known || (known.scope === "Namespaced" && namespace === "")) {
    throw new Error(
      `cannot apply ${kind} ${name}: expected a kind that a platform consists of, with a namespace where it has one, got ${apiVersion} ${kind}; deploy function and manifests of the same version`,
    );
  }
  return { kind: known, key: { namespace, name } };
}

/** One of `MANIFEST_KINDS`. */
export function kindOf(apiVersion: string, name: string): Kind | undefined {
  return MANIFEST_KINDS.find((kind) => kind.apiVersion === apiVersion && kind.kind === name);
}

/** Tells one object from another. */
export function refId({ kind, key }: ObjectRef): string {
  return `${groupKindOf(kind)} ${objectText({ kind, key })}`;
}

function replaced(value: unknown, values: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((each) => replaced(each, values));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, replaced(each, values)]),
    );
  }
  if (typeof value !== "string") return value;
  return value.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const found = values[name];
    if (found !== undefined) return found;
    throw new Error(`cannot fill in "\${${name}}": expected a value of that name, got none`);
  });
}
