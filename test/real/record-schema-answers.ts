import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type KubeConnection, kubeRequest } from "../../local/kube-apiserver/kube-request.ts";
import { systemClock } from "../../shared/clock.ts";
import { specSchema, specs } from "../local/kube-schema-cases.ts";
import { startKube } from "./kube-apiserver.ts";

/**
 * Writes test/local/kube-schema-answers.json anew: what a real kube-apiserver says of each value in
 * kube-schema-cases.ts, as the spec of a custom resource.
 *
 *   node --conditions=tidegate-source test/real/record-schema-answers.ts
 */
const TARGET = join(import.meta.dirname, "../local/kube-schema-answers.json");
const GROUP = "/apis/schema.example.com/v1";

const kube = await startKube({ deployments: false, garbageCollector: false });
try {
  await define(kube);
  const answers: object[] = [];
  for (const spec of specs) answers.push(await answerOf(kube, spec));
  const lines = answers.map((answer) => JSON.stringify(answer));
  await writeFile(TARGET, `[\n${lines.join(",\n")}\n]\n`);
  console.log(`${TARGET}: ${answers.length} answers of ${kube.version}`);
} finally {
  await kube.stop();
}

async function define(to: KubeConnection): Promise<void> {
  const schema = { type: "object", properties: { spec: specSchema } };
  const versions = [
    { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } },
  ];
  const body = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "cases.schema.example.com" },
    spec: {
      group: "schema.example.com",
      names: { kind: "Case", plural: "cases" },
      scope: "Cluster",
      versions,
    },
  };
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const made = await kubeRequest(to, { method: "POST", path, body });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body, null, 1));
  for (let served = false; !served; ) {
    const list = await kubeRequest(to, { path: `${GROUP}/cases` });
    served = list.status === 200;
    if (!served) await systemClock.sleep(50);
  }
}

interface Answer {
  readonly spec?: unknown;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly object[] };
}

/** The faults, or the spec as it is stored, with the unknown fields that Strict complains of. */
async function answerOf(to: KubeConnection, spec: object): Promise<object> {
  const body = {
    apiVersion: "schema.example.com/v1",
    kind: "Case",
    metadata: { name: "case" },
    spec,
  };
  const post = async (query: string) => {
    const path = `${GROUP}/cases?dryRun=All${query}`;
    const answer = await kubeRequest(to, { method: "POST", path, body });
    return { status: answer.status, body: answer.body as Answer };
  };
  const plain = await post("");
  const strict = await post("&fieldValidation=Strict");
  const unknown = [...(strict.body.message ?? "").matchAll(/unknown field "([^"]*)"/g)];
  return {
    ...(plain.status === 201
      ? { spec: plain.body.spec }
      : { causes: plain.body.details?.causes ?? plain.body.message }),
    ...(unknown.length > 0 && { unknown: unknown.map(([, field]) => field) }),
  };
}
