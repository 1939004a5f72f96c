import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Encoding } from "../../local/kube/built-in-resources.ts";
import type { CutSchema } from "./cut-definitions.ts";

/** Reads the struct tags of Kubernetes' published Go modules (Apache-2.0), for `definitions`. */
export async function cutEncoding(
  version: string,
  definitions: Readonly<Record<string, CutSchema>>,
): Promise<Record<string, Encoding>> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-cut-"));
  try {
    const packages = new Map<string, GoPackage>();
    const found: Record<string, Encoding> = {};
    for (const [name, schema] of Object.entries(definitions)) {
      const place = placeOf(name);
      if (!place || !schema.properties) continue;
      const key = `${place.module}/${place.path}`;
      const types = packages.get(key) ?? (await readPackage(place, version, folder));
      packages.set(key, types);
      const encoding = encodingOf(place.type, types);
      if (Object.keys(encoding).length > 0) found[name] = encoding;
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly module: string;
  readonly path: string;
  readonly type: string;
}

function placeOf(name: string): Place | undefined {
  const api = /^io\.k8s\.api\.(\w+)\.(\w+)\.(\w+)$/.exec(name);
  if (api) return { module: "k8s.io/api", path: `${api[1]}/${api[2]}`, type: api[3] ?? "" };
  const other = /^io\.k8s\.(apimachinery|apiextensions-apiserver)\.(.*)\.(\w+)$/.exec(name);
  if (!other) return undefined;
  const [, module, path = "", type = ""] = other;
  return { module: `k8s.io/${module}`, path: path.replaceAll(".", "/"), type };
}

/** By name: the text of a struct's fields, or the type that it stands for. */
type GoPackage = ReadonlyMap<string, string>;

async function readPackage(place: Place, version: string, folder: string): Promise<GoPackage> {
  const module = `${place.module}@${version.replace(/^v1\./, "v0.")}`;
  const args = ["mod", "download", "-json", module];
  const { stdout } = await promisify(execFile)("go", args, { cwd: folder });
  const dir = join((JSON.parse(stdout) as { Dir: string }).Dir, place.path);
  const types = new Map<string, string>();
  for (const file of (await readdir(dir)).filter((name) =>
    /^types.*\.go$|^\w*time\.go$/.test(name),
  )) {
    const text = (await readFile(join(dir, file), "utf8")).replace(/^\s*\/\/.*$/gm, "");
    for (const [, name = "", fields = ""] of text.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)) {
      types.set(name, `struct\n${fields}`);
    }
    for (const [, name = "", of = ""] of text.matchAll(/^type (\w+) ([\w.[\]*]+)$/gm)) {
      if (of !== "struct") types.set(name, of);
    }
  }
  return types;
}

function encodingOf(type: string, types: GoPackage): Encoding {
  const encoding: Record<string, string[]> = {};
  const add = (key: string, ...names: readonly string[]) => {
    encoding[key] = [...(encoding[key] ?? []), ...names].sort();
  };
  for (const line of (types.get(type) ?? "").split("\n")) {
    const match = /^\s*(?:(\w+)\s+)?(\S+)\s+`.*json:"([^",]*)(?:,([^"]*))?"/.exec(line);
    if (!match) continue;
    const [, field, of = "", json = "", options = ""] = match;
    const kind = kindOf(of, types);
    if (json === "" && field === undefined) {
      const inner = encodingOf(of, types);
      for (const [key, names] of Object.entries(inner)) add(key, ...names);
    } else if (kind === "pointer" || options.includes("omitzero")) {
      if (options.includes("omitzero") && kind !== "struct" && kind !== "time") add("omit", json);
    } else if (kind === "struct") add("fill", json);
    else if (kind === "time") add("nulls", json);
    else add(options.includes("omitempty") ? "omit" : kind, json);
  }
  return encoding;
}

/** Structs of other packages that are written as one value, and never as an empty object. */
const VALUES = /(^|\.)Duration$|Quantity$|IntOrString$|^JSON|FieldsV1$/;
const TIMES = /^(metav1\.)?(Time|MicroTime)$/;

type Kind = "struct" | "pointer" | "time" | "texts" | "numbers" | "flags" | "nulls";

function kindOf(of: string, types: GoPackage): Kind {
  if (/^(\[\]|map\[)|\.ResourceList$/.test(of)) return "nulls";
  if (of.startsWith("*") || VALUES.test(of)) return "pointer";
  if (TIMES.test(of)) return "time";
  if (/^(u?int|float)\d+$/.test(of)) return "numbers";
  if (of === "bool") return "flags";
  const known = types.get(of);
  if (known?.startsWith("struct")) return "struct";
  if (known !== undefined) return kindOf(known, types);
  const foreign = /^(metav1|v1|corev1|runtime|autoscaling)\.[A-Z]/.test(of);
  return foreign && !FOREIGN_TEXTS.test(of) ? "struct" : "texts";
}

/** Names of strings among the types of other packages. */
const FOREIGN_TEXTS =
  /\.(ConditionStatus|Protocol|ResourceName|NodeInclusionPolicy|PodConditionType|PersistentVolume\w+|PreemptionPolicy|UID|\w+Type)$/;
