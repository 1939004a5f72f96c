import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { PackageJson } from "./scaffold-project.ts";

const SCRIPTS = {
  start: "tidegate dev",
  test: "node --disable-warning=ExperimentalWarning --experimental-vm-modules node_modules/jest/bin/jest.js",
  types: "tsc -p .",
  lint: "oxlint --type-aware --deny-warnings",
  synth: "cdk synth --no-notices",
};

/** What a project develops with, in the versions that Tidegate is tested with. */
const TOOLS = [
  "@jest/globals",
  "@swc/core",
  "@swc/jest",
  "@types/node",
  "aws-cdk",
  "aws-cdk-lib",
  "constructs",
  "esbuild",
  "jest",
  "oxlint",
  "oxlint-tsgolint",
  "typescript",
];

/** The script that `npm init` writes. */
const PLACEHOLDER = /no test specified/;

/**
 * The package.json of a project: what is there already stays, but for what `npm init` put there for
 * want of better. Fails where it is a CommonJS package by choice.
 */
export async function projectPackageJson(
  { name, domain }: { readonly name: string; readonly domain: string },
  before: PackageJson = {},
): Promise<string> {
  const { version, devDependencies } = await ownPackageJson();
  const { test, ...scripts } = before.scripts ?? {};
  const fresh = test === undefined || PLACEHOLDER.test(test);
  if (before.type === "commonjs" && !fresh) {
    throw new Error('cannot change package.json: expected "type": "module", got "commonjs"');
  }
  const tools = Object.fromEntries(TOOLS.map((tool) => [tool, devDependencies[tool] ?? ""]));
  const needed = { tidegate: version, zod: devDependencies.zod ?? "" };
  const { dependencies = {}, devDependencies: dev = {} } = before;
  const value = {
    name,
    version: "0.1.0",
    private: true,
    ...before,
    type: "module",
    engines: { node: ">=24", ...before.engines },
    scripts: { ...SCRIPTS, ...scripts, ...(!fresh && { test }) },
    dependencies: sorted({ ...without(needed, dev), ...dependencies }),
    devDependencies: sorted({ ...without(tools, dependencies), ...dev }),
    tidegate: { ...before.tidegate, domain },
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

interface OwnPackageJson {
  readonly version: string;
  readonly devDependencies: Readonly<Record<string, string>>;
}

async function ownPackageJson(): Promise<OwnPackageJson> {
  const file = fileURLToPath(import.meta.resolve("tidegate/package.json"));
  return JSON.parse(await readFile(file, "utf8")) as OwnPackageJson;
}

function without(all: Readonly<Record<string, string>>, known: object): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !(name in known)));
}

function sorted(all: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}
