import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { builtInResources } from "../local/kube/built-in-resources.ts";
import * as builtIn from "../shared/api/kinds.ts";
import type { Kind } from "../shared/api/object.ts";

/** A kind that generated code can import. */
export interface ScaffoldKind extends Kind {
  /** The name that it is exported by. */
  readonly exported: string;
  /** The file that exports it, from the project's folder; absent for those of `tidegate`. */
  readonly file?: string;
  /** Whether the embedded cluster lacks it: it runs against a real one only. */
  readonly notEmbedded?: boolean;
}

/** The kinds that `tidegate` itself exports. */
export function builtInKinds(): readonly ScaffoldKind[] {
  const embedded = new Set(
    builtInResources().map(({ group, version, kind }) => join(group, version, kind)),
  );
  return Object.entries(builtIn).map(([exported, kind]) => ({
    ...kind,
    exported,
    ...(!embedded.has(join(kind.apiVersion, kind.kind)) && { notEmbedded: true }),
  }));
}

/** The kinds that the function folders of a project define. */
export async function projectKinds(root: string): Promise<readonly ScaffoldKind[]> {
  const names = await readdir(join(root, "functions")).catch(() => [] as string[]);
  const found = await Promise.all(
    names.sort().map((name) => kindsIn(root, `functions/${name}/resource.ts`).catch(() => [])),
  );
  return found.flat();
}

/**
 * The kinds that a file defines, by its text: scaffolding needs no code that loads. Only those are
 * found whose `defineKind` is given literals. Rejects where the file cannot be read.
 */
export async function kindsIn(root: string, file: string): Promise<readonly ScaffoldKind[]> {
  const text = await readFile(join(root, file), "utf8").catch((cause: unknown) => {
    throw new Error(`cannot read ${join(root, file)}: expected a TypeScript file`, { cause });
  });
  const definition = /^export const (\w+)[^=\n]*=\s*defineKind\b[^(]*\(\s*\{([^}]*)\}/gm;
  return [...text.matchAll(definition)].flatMap(({ 1: exported = "", 2: body = "" }) => {
    const literal = (field: string) =>
      new RegExp(`\\b${field}:\\s*["']([^"']*)["']`).exec(body)?.[1] ?? "";
    const [apiVersion, kind, plural] = [literal("apiVersion"), literal("kind"), literal("plural")];
    const scope = literal("scope") === "Cluster" ? "Cluster" : "Namespaced";
    return apiVersion && kind && plural
      ? [{ exported, apiVersion, kind, plural, scope, file } as const]
      : [];
  });
}
