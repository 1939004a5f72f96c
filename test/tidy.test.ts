import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";
import { expect, test } from "@jest/globals";
import { METRICS, metricDefinition } from "../shared/telemetry/metric-names.ts";

// What linters cannot check. Each rule answers "file:line: rule", so a failure is a list of places.

const ROOT = join(import.meta.dirname, "..");
const FOLDERS = ["shared", "functions", "watcher", "cdk", "local", "cli", "test", "docs"];

interface SourceFile {
  /** From the root, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  /** The lines without their comments. */
  readonly code: readonly string[];
}

interface Import {
  readonly from: string;
  readonly line: number;
  readonly typeOnly: boolean;
}

const files = [...FOLDERS.flatMap(walk), ...rootFiles()].map(read);
const sources = files.filter(({ path }) => /\.[jt]s$/.test(path));
const library = sources.filter(({ path }) => !path.startsWith("test/"));
/** This file names what it forbids. */
const others = files.filter(({ path }) => path !== "test/tidy.test.ts");

const PROGRAMS = "api crd telemetry queue lease kube platform worker watcher".split(" ");

/** What each area may import when it runs. Types may also come from areas of the same rank. */
const DIRECTIONS: Record<string, readonly string[]> = {
  clock: [],
  api: [],
  crd: ["api"],
  telemetry: ["api"],
  queue: ["api", "telemetry"],
  lease: ["api", "telemetry"],
  kube: ["api", "telemetry"],
  worker: ["api", "telemetry", "queue", "lease", "kube"],
  platform: ["api", "crd", "kube"],
  watcher: ["api", "telemetry", "queue", "lease", "kube"],
  testing: ["api", "telemetry", "queue", "lease", "kube", "worker", "watcher"],
  index: ["api", "telemetry", "queue", "kube", "worker"],
  "platform-manifests": ["api", "telemetry", "queue", "kube", "platform"],
  local: [...PROGRAMS, "testing"],
  cdk: [...PROGRAMS, "local"],
  cli: [...PROGRAMS, "local", "cdk"],
};

/**
 * What the testing kit runs of local mode: the cores, which have no sockets and start no processes.
 * Those that run a real kube-apiserver are loaded by these alone, and only where one is asked for.
 */
const CORES =
  /^local\/(kube\/(?!kube-server|kube-credentials|embedded-cluster)[^/]+|sqs-(?!server)[^/]+|function-runner\.ts)$/;
const SERVERS = /^local\/kube-apiserver\/[^/]+$/;
const LOADS_SERVERS = /^shared\/testing\/(server|own)-cluster\.ts$/;

const TYPES_BESIDE: readonly string[] = ["telemetry", "queue", "lease", "kube"];

test("imports point one way (docs of the architecture)", () => {
  const found = library.flatMap((file) => {
    const area = areaOf(file.path);
    const allowed = DIRECTIONS[area];
    if (!allowed) return [];
    return importsOf(file)
      .filter(({ from }) => from.startsWith("."))
      .map((each) => ({ ...each, path: resolved(file, each.from) }))
      .map((each) => ({ ...each, to: areaOf(each.path) }))
      .filter(({ to }) => to !== area && to !== "clock" && !allowed.includes(to))
      .filter(({ path, typeOnly }) => area !== "testing" || !(typeOnly || CORES.test(path)))
      .filter(({ path }) => !LOADS_SERVERS.test(file.path) || !SERVERS.test(path))
      .filter(({ to, typeOnly }) => !(typeOnly && bothIn(TYPES_BESIDE, area, to)))
      .map(({ line, to }) => `${file.path}:${line}: ${area} must not import ${to}`);
  });
  expect(found).toEqual([]);
});

test("functions import the package by its name and their own folder, as users do", () => {
  const found = library
    .filter(({ path }) => areaOf(path) === "functions")
    .flatMap((file) =>
      importsOf(file)
        .filter(({ from }) => from.startsWith("."))
        .filter(({ from }) => dirname(resolved(file, from)) !== dirname(file.path))
        .map(({ line, from }) => `${file.path}:${line}: import "tidegate" instead of ${from}`),
    );
  expect(found).toEqual([]);
});

const SDK = /^(@aws-sdk|@aws-crypto|@smithy|@kubernetes\/client-node|@middy|dynalite)/;
const ADAPTER =
  /^(local|cli|cdk)\/|\/(dynamo|sqs|eks|aws|lambda)-[^/]*$|^watcher\/main[^/]*$|^shared\/kube\/kubeconfig\.ts$/;

test("an SDK is imported by adapters only; others may name its types", () => {
  const found = library
    .filter(({ path }) => !ADAPTER.test(path))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ from, typeOnly }) => SDK.test(from) && !typeOnly)
        .map(({ line, from }) => `${file.path}:${line}: ${from} belongs in an adapter`),
    );
  expect(found).toEqual([]);
});

test("what is shipped imports only packages that come with it, or that the user is asked for", () => {
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  );
  const known = new Set(Object.keys({ ...dependencies, ...peerDependencies }));
  const found = library
    .filter(({ path }) =>
      /^(shared|watcher|local|cli|cdk(?!\/app\.ts$)|functions\/platform-manifests)\//.test(path),
    )
    .flatMap((file) =>
      importsOf(file)
        .filter(({ from }) => !/^(\.|node:)/.test(from))
        .map(({ line, from }) => ({ line, from: /^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from }))
        .filter(({ from }) => !known.has(from))
        .map(({ line, from }) => `${file.path}:${line}: ${from} is no dependency`),
    );
  expect(found).toEqual([]);
});

const AMBIENT =
  /\b(Date\.now|new Date\(\)|performance\.now|process\.hrtime|Math\.random|randomUUID|randomBytes|setTimeout|setInterval|process\.env)\b/;
const AMBIENT_ALLOWED =
  /^shared\/(clock\.ts|testing\/|worker\/(lambda-[^/]*|require-env)\.ts)|^watcher\/main[^/]*\.ts$/;

test("time, randomness and environment are passed in", () => {
  const found = library
    .filter(({ path }) => /^(shared|watcher)\//.test(path) && !AMBIENT_ALLOWED.test(path))
    .flatMap((file) =>
      matches(file.path, file.code, AMBIENT).map((at) => `${at} must be passed in`),
    );
  expect(found).toEqual([]);
});

test("files have at most 300 lines, test files 400", () => {
  const found = sources
    .map(({ path, lines }) => ({ path, lines, most: path.startsWith("test/") ? 400 : 300 }))
    .filter(({ lines, most }) => lines.length > most)
    .map(({ path, lines, most }) => `${path}:${most}: ${lines.length} lines, at most ${most}`);
  expect(found).toEqual([]);
});

test("files and folders are named in kebab-case, and no folder is a drawer", () => {
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/;
  const found = files
    .filter(({ path }) => path.includes("/"))
    .flatMap(({ path }) => {
      const parts = path.split("/");
      const odd = parts.filter(
        (part) => !kebab.test(part) && !/^[A-Z]+(\.md)?$|Dockerfile/.test(part),
      );
      const drawers = parts.slice(0, -1).filter(drawer(path));
      return [
        ...odd.map((part) => `${path}:1: ${part} is not kebab-case`),
        ...drawers.map((part) => `${path}:1: no folder is named ${part}`),
      ];
    });
  expect(found).toEqual([]);
});

test("tests mock nothing, spy on nothing, skip nothing and single nothing out", () => {
  const rule =
    /\bjest\.(mock|unstable_mockModule|spyOn|fn|useFakeTimers|setSystemTime)\b|\b(test|it|describe)\.(skip|only|todo)\b|\b(xit|xtest|fit|fdescribe|xdescribe)\(/;
  expect(inOthers(rule, ({ path }) => path.startsWith("test/"))).toEqual([]);
});

test("nothing is left for later without a number", () => {
  expect(inOthers(/\bFIXME\b|\bXXX\b|\bTODO\b(?!\(#\d+\))/)).toEqual([]);
});

test("no file names a registry, or a path of the machine it was written on", () => {
  const registry = /registry\.(npmjs|yarnpkg)|npmjs\.org|proxy\.golang\.org|pypi\.org/;
  const machine = /(^|[^\w.])\/(work|root|home)\/|\/tmp\//;
  expect(inOthers(new RegExp(`${registry.source}|${machine.source}`))).toEqual([]);
});

test("the lockfile names no place to download from", () => {
  const lock = readFileSync(join(ROOT, "package-lock.json"), "utf8").split("\n");
  expect(matches("package-lock.json", lock, /"resolved": "http/)).toEqual([]);
});

test("the README tells of every script", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const untold = Object.keys(scripts)
    .filter((name) => name !== "prepack")
    .filter((name) => !new RegExp(`npm (run )?${name}(?![:\\w])`).test(readme))
    .map((name) => `README.md:1: tell of npm run ${name}`);
  expect(untold).toEqual([]);
});

test("every metric that code measures stands in the table, as what it is", () => {
  const kinds = { count: "counter", gauge: "gauge", observe: "histogram" } as const;
  const call = /\b[mM]etrics\s*\.(count|gauge|observe)\(\s*"(\w+)"/g;
  const found = library.flatMap(({ path, text }) =>
    [...text.matchAll(call)].flatMap(({ 1: act = "", 2: name = "", index }) => {
      const kind = kinds[act as keyof typeof kinds];
      if (metricDefinition(name)?.kind === kind) return [];
      return [`${path}:${lineAt(text, index)}: ${name} is no ${kind} of metric-names.ts`];
    }),
  );
  expect(found).toEqual([]);
});

test("every metric of the table is measured", () => {
  const code = library.filter(({ path }) => !path.endsWith("/metric-names.ts"));
  const unmeasured = Object.keys(METRICS)
    .filter((name) => !code.some(({ text }) => text.includes(`"${name}"`)))
    .map((name) => `shared/telemetry/metric-names.ts:1: nothing measures ${name}`);
  expect(unmeasured).toEqual([]);
});

/** What users import. */
const EXPORTS_APART = /^shared\/(api|testing)\//;

test("nothing is exported that no other file names", () => {
  const exported = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;
  const words = new Map(sources.map(({ path, text }) => [path, new Set(text.match(/\w+/g))]));
  const named = (name: string, path: string) =>
    [...words].some(([other, has]) => other !== path && has.has(name));
  const found = library
    .filter(({ path }) => !EXPORTS_APART.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(exported)]
        .filter(({ 1: name = "" }) => !named(name, path))
        .map(({ 1: name = "", index }) => `${path}:${lineAt(text, index)}: nobody uses ${name}`),
    );
  expect(found).toEqual([]);
});

function walk(folder: string): string[] {
  try {
    return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
      .map((path) => path.split(sep).join("/"))
      .filter((path) => !path.includes("node_modules/"))
      .filter((path) => /\.(ts|js|json|md|ya?ml|env|sh|svg|css|html)$|Dockerfile$/.test(path));
  } catch {
    return []; // A folder that a step of the plan has not brought yet.
  }
}

function rootFiles(): string[] {
  return readdirSync(ROOT).filter((name) => /\.(md|js|ts|json)$/.test(name) && !/-lock/.test(name));
}

function read(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), "utf8");
  const lines = text.replace(/\n$/, "").split("\n");
  return { path, text, lines, code: withoutComments(text).split("\n") };
}

/** Rough, and enough: "//" in a string after a space would be taken for a comment, too. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, " "))
    .replaceAll(/(^|\s)\/\/.*$/gm, "$1");
}

/** The imports and re-exports of a file, dynamic ones included. */
function importsOf({ code }: SourceFile): Import[] {
  const text = code.join("\n");
  const statement =
    /^(?:import|export)\s(type\s)?[^;"']*?from\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...text.matchAll(statement)].map(({ 1: type, 2: named, 3: bare, 4: dynamic, index }) => ({
    from: named ?? bare ?? dynamic ?? "",
    line: lineAt(text, index),
    typeOnly: type !== undefined,
  }));
}

function resolved({ path }: SourceFile, from: string): string {
  return normalize(join(dirname(path), from))
    .split(sep)
    .join("/");
}

/**
 * "lease" for shared/lease/lease.ts, "watcher" for watcher/forwarder.ts, "clock" for shared/clock.ts. The
 * function that is the platform's own is an area of its own.
 */
function areaOf(path: string): string {
  const [top = "", second = ""] = path.split("/");
  if (top === "functions" && second === "platform-manifests") return second;
  return top === "shared" ? second.replace(/\.ts$/, "") : top;
}

function bothIn(list: readonly string[], one: string, other: string): boolean {
  return list.includes(one) && list.includes(other);
}

/** test/types holds traps for the compiler, not types that were left over. */
function drawer(path: string): (part: string) => boolean {
  const names = ["utils", "util", "helpers", "common", "types", "lib", "misc"];
  return (part) => names.includes(part) && !(part === "types" && path.startsWith("test/types/"));
}

function inOthers(rule: RegExp, filter: (file: SourceFile) => boolean = () => true): string[] {
  return others.filter(filter).flatMap(({ path, lines }) => matches(path, lines, rule));
}

function matches(path: string, lines: readonly string[], rule: RegExp): string[] {
  return lines.flatMap((line, index) => {
    const met = rule.exec(line);
    return met ? [`${path}:${index + 1}: ${met[0].trim()}`] : [];
  });
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
