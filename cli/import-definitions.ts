import { loadAll } from "js-yaml";
import { defineKind, type Kind } from "../shared/api/object.ts";
import type { ForeignSchema } from "./import-schema.ts";

/** One version of a definition, as a type is made of it. */
export interface ImportedKind extends Kind {
  readonly schema: ForeignSchema;
}

interface ForeignDefinition {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly items?: unknown;
  readonly metadata?: { readonly name?: unknown };
  readonly spec?: {
    readonly group?: string;
    readonly scope?: string;
    readonly names?: { readonly kind?: string; readonly plural?: string };
    readonly versions?: readonly ForeignVersion[];
  };
}

interface ForeignVersion {
  readonly name: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly schema?: { readonly openAPIV3Schema?: ForeignSchema };
}

/** The definitions in a text of YAML or JSON; other objects in it are passed over. Fails where there is none. */
export function definitionsIn(text: string, source: string): readonly ForeignDefinition[] {
  const found = documentsIn(text, source).filter(({ kind }) => kind === "CustomResourceDefinition");
  if (found.length > 0) return found;
  throw new Error(
    `cannot import ${source}: expected CustomResourceDefinitions in YAML or JSON, got none`,
  );
}

function documentsIn(text: string, source: string): readonly ForeignDefinition[] {
  try {
    return loadAll(text).flatMap(objectsIn);
  } catch (error) {
    const { reason, mark } = error as { reason?: string; mark?: { line: number } };
    const got = reason && mark ? `${reason} in line ${mark.line + 1}` : (error as Error).message;
    throw new Error(`cannot import ${source}: expected YAML or JSON, got ${got}`, { cause: error });
  }
}

/** A document, or what a list of kubectl holds. */
function objectsIn(document: unknown): readonly ForeignDefinition[] {
  if (document === null || typeof document !== "object") return [];
  const { items } = document as ForeignDefinition;
  return Array.isArray(items) ? items.flatMap(objectsIn) : [document as ForeignDefinition];
}

/**
 * The kind of a definition, in the version that is asked for, else in the one that is stored, or the
 * first that is served. Fails naming what is wrong with it.
 */
export function importedKind(definition: ForeignDefinition, version?: string): ImportedKind {
  const given = definition.metadata?.name;
  const name = typeof given === "string" ? given : "a definition without a name";
  const { group, scope, names, versions = [] } = definition.spec ?? {};
  if (definition.apiVersion !== "apiextensions.k8s.io/v1" || !Array.isArray(versions)) {
    throw new Error(
      `cannot import ${name}: expected apiextensions.k8s.io/v1, got ${String(definition.apiVersion)}; take a newer release of it`,
    );
  }
  const chosen = chosenVersion(name, versions, version);
  const schema = chosen.schema?.openAPIV3Schema;
  const { kind, plural } = names ?? {};
  const known = scope === "Namespaced" || scope === "Cluster";
  if (!schema || !group || !kind || !plural || !known) {
    const parts = Object.entries({ group, kind, plural, scope: known || undefined, schema });
    const missing = parts.filter(([, value]) => !value).map(([part]) => part);
    throw new Error(
      `cannot import ${name}: expected a whole definition, got none of ${missing.join(", ")}`,
    );
  }
  const made = defineKind({ apiVersion: `${group}/${chosen.name}`, kind, plural, scope });
  return { ...made, schema };
}

function chosenVersion(
  name: string,
  versions: readonly ForeignVersion[],
  version: string | undefined,
): ForeignVersion {
  const served = versions.filter((each) => each.served);
  const found =
    version === undefined
      ? (served.find(({ storage }) => storage) ?? served[0])
      : served.find((each) => each.name === version);
  if (found) return found;
  const names = served.map((each) => each.name).join(", ") || "none";
  throw new Error(
    `cannot import ${name}: expected version ${version ?? "that is served"}, got ${names}`,
  );
}
