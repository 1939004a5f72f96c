import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { builtInResources } from "../../local/kube/built-in-resources.ts";
import { type KubeConnection, kubeRequest } from "../../local/kube-apiserver/kube-request.ts";
import { type BuiltInCase, validBuiltIns } from "../local/kube-schema-built-in-cases.ts";
import { invalidBuiltIns } from "../local/kube-schema-built-in-faults.ts";
import { startKube } from "./kube-apiserver.ts";

/**
 * Writes test/local/kube-schema-built-in-answers.json anew: what a real kube-apiserver makes of the
 * objects in kube-schema-built-in-cases.ts, and what it finds wrong with those in
 * kube-schema-built-in-faults.ts.
 *
 *   node --conditions=tidegate-source test/real/record-built-in-answers.ts
 */
const TARGET = join(import.meta.dirname, "../local/kube-schema-built-in-answers.json");

const kube = await startKube({ deployments: false, garbageCollector: false });
try {
  const valid: string[] = [];
  for (const each of validBuiltIns) valid.push(line(each, await objectOf(kube, each)));
  const invalid: string[] = [];
  for (const each of invalidBuiltIns) invalid.push(line(each, await faultsOf(kube, each)));
  const parts = [`"valid":{\n${valid.join(",\n")}\n}`, `"invalid":{\n${invalid.join(",\n")}\n}`];
  await writeFile(TARGET, `{${parts.join(",\n")}}\n`);
  console.log(`${TARGET}: ${valid.length + invalid.length} answers of ${kube.version}`);
} finally {
  await kube.stop();
}

function line({ name }: BuiltInCase, answer: unknown): string {
  return `${JSON.stringify(name)}:${JSON.stringify(answer)}`;
}

async function create(to: KubeConnection, { object }: BuiltInCase) {
  const resource = builtInResources().find(({ group, version, kind }) => {
    return kind === object.kind && [group, version].filter(Boolean).join("/") === object.apiVersion;
  });
  if (!resource) throw new Error(`no resource of ${object.apiVersion} ${object.kind}`);
  const root = resource.group === "" ? "/api/v1" : `/apis/${object.apiVersion}`;
  const scope = resource.namespaced ? "/namespaces/default" : "";
  const path = `${root}${scope}/${resource.plural}?dryRun=All`;
  return kubeRequest(to, { method: "POST", path, body: object });
}

/** Without what differs each time. */
async function objectOf(to: KubeConnection, each: BuiltInCase): Promise<unknown> {
  const { status, body } = await create(to, each);
  if (status !== 201) {
    console.error(`${each.name} is refused: ${JSON.stringify(body)}`);
    process.exitCode = 1;
    return null;
  }
  const answer = body as { metadata: Record<string, unknown> };
  const { uid, creationTimestamp: _time, managedFields: _fields, ...metadata } = answer.metadata;
  const text = JSON.stringify({ ...answer, metadata });
  return JSON.parse(text.replaceAll(String(uid), "UID"));
}

async function faultsOf(to: KubeConnection, each: BuiltInCase): Promise<unknown> {
  const { status, body } = await create(to, each);
  const { details, message, reason } = body as {
    details?: { causes?: unknown };
    message?: string;
    reason?: string;
  };
  if (status === 201) return [];
  return reason === "Invalid" ? details?.causes : message;
}
