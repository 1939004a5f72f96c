import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkDomain } from "./scaffold-checks.ts";

/** A project as `tidegate init` makes one. */
export interface ScaffoldProject {
  /** The folder of its package.json. */
  readonly root: string;
  /** Ends the group of each of its APIs. */
  readonly domain: string;
}

/** What package.json says that matters here. */
export interface PackageJson {
  readonly [field: string]: unknown;
  readonly name?: string;
  readonly type?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly tidegate?: { readonly domain?: string };
}

/** The project that holds `cwd`: the nearest folder, upwards, whose package.json has a domain. */
export async function findProject(cwd: string): Promise<ScaffoldProject> {
  for (let root = cwd; ; root = dirname(root)) {
    const domain = (await readPackageJson(root))?.tidegate?.domain;
    if (domain !== undefined) {
      checkDomain(domain);
      return { root, domain };
    }
    if (root === dirname(root)) break;
  }
  throw new Error(
    `cannot find the project of ${cwd}: expected "tidegate": { "domain": ... } in its package.json ` +
      'or in one above; make a project with "npx tidegate init --domain example.com"',
  );
}

/** Resolves to undefined where there is none. Rejects where it is no JSON object. */
export async function readPackageJson(dir: string): Promise<PackageJson | undefined> {
  const file = join(dir, "package.json");
  try {
    return checkedObject(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new Error(`cannot read ${file}: expected a JSON object`, { cause: error });
  }
}

function checkedObject(value: unknown): PackageJson {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new Error(`got ${JSON.stringify(value)}`);
  }
  return value as PackageJson;
}
