import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { CustomResourceDefinition } from "../shared/crd/custom-resource-definition.ts";
import { describeFiles, loadError } from "./describe-files.ts";

/** What a `resource.ts` defines. */
export interface ResourceFile {
  readonly file: string;
  /** What its `crd()` answers, one or a list; none where it exports none, for kinds of others. */
  readonly crds: readonly CustomResourceDefinition[];
}

/**
 * The CustomResourceDefinitions of all function folders. Rejects naming the file that does not load,
 * and where the same is defined twice.
 */
export async function readDefinitions(functionsDir: string): Promise<readonly ResourceFile[]> {
  const files = await resourceFiles(functionsDir);
  if (files.length === 0) return [];
  const described = await describeFiles<Omit<ResourceFile, "file">>("describe-definitions", files);
  const found = described.map((each) => {
    if (each.error !== undefined) throw loadError(each);
    return each;
  });
  checkOnce(found);
  return found;
}

function checkOnce(found: readonly ResourceFile[]): void {
  const files = new Map<string, string>();
  for (const { file, crds } of found) {
    for (const { metadata } of crds) {
      const before = files.get(metadata.name);
      if (before !== undefined) {
        throw new Error(
          `cannot tell which ${metadata.name} is meant: expected one file to define it, and once, got ${before} and ${file}`,
        );
      }
      files.set(metadata.name, file);
    }
  }
}

/** The `resource.ts` of each function folder that has one. */
async function resourceFiles(functionsDir: string): Promise<readonly string[]> {
  // What it is instead of a folder, those tell that read the functions.
  const names = await readdir(functionsDir).catch((): string[] => []);
  return names
    .sort()
    .map((name) => join(functionsDir, name, "resource.ts"))
    .filter((file) => existsSync(file));
}
