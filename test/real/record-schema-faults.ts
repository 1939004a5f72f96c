import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type KubeConnection, kubeRequest } from "../../local/kube-apiserver/kube-request.ts";
import { faultyRoots, faultySpecs } from "../local/kube-schema-faults.ts";
import { startKube } from "./kube-apiserver.ts";

/**
 * Writes test/local/kube-schema-fault-answers.json anew: for what a real kube-apiserver refuses
 * CustomResourceDefinitions with the schemas in kube-schema-faults.ts.
 *
 *   node --conditions=tidegate-source test/real/record-schema-faults.ts
 */
const TARGET = join(import.meta.dirname, "../local/kube-schema-fault-answers.json");
const PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All";

const kube = await startKube({ deployments: false, garbageCollector: false });
try {
  const roots = [
    ...faultySpecs.map((spec) => ({ type: "object", properties: { spec } })),
    ...faultyRoots,
  ];
  const lines: string[] = [];
  for (const root of roots) lines.push(JSON.stringify(await faultsOf(kube, root)));
  await writeFile(TARGET, `[\n${lines.join(",\n")}\n]\n`);
  console.log(`${TARGET}: ${lines.length} answers of ${kube.version}`);
} finally {
  await kube.stop();
}

async function faultsOf(to: KubeConnection, openAPIV3Schema: object): Promise<unknown> {
  const body = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "faults.schema.example.com" },
    spec: {
      group: "schema.example.com",
      names: { kind: "Fault", plural: "faults" },
      scope: "Cluster",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
  const { body: answer, status } = await kubeRequest(to, { method: "POST", path: PATH, body });
  const { details, message } = answer as { details?: { causes?: object[] }; message?: string };
  return status === 201 ? [] : (details?.causes ?? message);
}
