import { relative, resolve } from "node:path";
import { readDefinitions } from "../local/read-definitions.ts";
import type { CustomResourceDefinition } from "../shared/crd/custom-resource-definition.ts";

/** A definition of the project, and the file whose `crd()` gives it. */
export interface ProjectDefinition {
  readonly crd: CustomResourceDefinition;
  /** From the working folder, for people. */
  readonly file: string;
}

/** As `findDefinitions`; rejects where there is none. */
export async function projectDefinitions(
  cwd: string,
  functions: string,
): Promise<readonly ProjectDefinition[]> {
  const found = await findDefinitions(cwd, functions);
  if (found.length > 0) return found;
  throw new Error(
    `cannot find definitions in ${resolve(cwd, functions)}: expected a resource.ts with crd() in one of its folders, got none; ` +
      'make one with "tidegate create api", or name another folder with --functions',
  );
}

/**
 * All definitions of the function folders, sorted by name. Rejects where a file does not load, and
 * where two files define the same.
 */
export async function findDefinitions(
  cwd: string,
  functions: string,
): Promise<readonly ProjectDefinition[]> {
  const files = await readDefinitions(resolve(cwd, functions));
  return files
    .flatMap(({ file, crds }) => crds.map((crd) => ({ crd, file: relative(cwd, file) })))
    .sort((a, b) => (a.crd.metadata.name < b.crd.metadata.name ? -1 : 1));
}
