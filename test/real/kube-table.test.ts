import { writeFileSync } from "node:fs";
import { request } from "node:https";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { builtInResources } from "../../local/kube/built-in-resources.ts";
import { resourcesOfCrd } from "../../local/kube/crd-schema.ts";
import type { ServedResource } from "../../local/kube/served-resource.ts";
import { tableOf } from "../../local/kube/table.ts";
import { kubeRequest } from "../../local/kube-apiserver/kube-request.ts";
import made from "../local/kube-table-objects.json" with { type: "json" };
import { type Kube, startKube } from "./kube-apiserver.ts";

// RECORD_TABLES=1 writes what the API server answers for test/local/kube-table.test.ts.

let kube: Kube;
beforeAll(async () => {
  kube = await startKube({ deployments: false, garbageCollector: false });
}, 600_000);
afterAll(async () => kube?.stop());

test("our tables have the columns and cells of the API server's", async () => {
  await makeObjects();
  const definition = await get(`${DEFINITIONS}/widgets.example.com`, "application/json");
  const resources = [...builtInResources(), ...resourcesOfCrd(definition as never)].filter(
    // The metrics that v1 does not know are in annotations; kubectl asks for v2.
    ({ group, version }) => group !== "autoscaling" || version !== "v1",
  );
  const recorded = [];
  for (const resource of resources) {
    const { objects, table } = await tableAnswer(resource);
    const nowMs = Date.now();
    const ours = tableOf(
      { metadata: table.metadata, items: objects },
      { resource, version: "v1", includeObject: "None", nowMs },
    );
    expect({ kind: resource.kind, ...rough(ours) }).toEqual({
      kind: resource.kind,
      ...rough(table),
    });
    recorded.push({
      resource: `${resource.group}/${resource.version}/${resource.plural}`,
      nowMs,
      objects,
      rows: table.rows,
    });
  }
  if (process.env.RECORD_TABLES) record(recorded);
}, 120_000);

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

interface TableAnswer {
  readonly metadata: { readonly resourceVersion: string };
  readonly columnDefinitions: readonly object[] | null;
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly conditions?: unknown }[];
}

async function makeObjects(): Promise<void> {
  await kubeRequest(kube, { method: "POST", path: DEFINITIONS, body: made.widgetDefinition });
  for (let tries = 0; tries < 50; tries += 1) {
    const { status } = await kubeRequest(kube, { path: "/apis/example.com/v1/widgets" });
    if (status === 200) break;
    await setTimeout(200);
  }
  for (const { path, body, status } of made.objects) {
    const created = await kubeRequest(kube, { method: "POST", path, body });
    expect([path, created.status, created.status === 201 || created.body]).toEqual([
      path,
      201,
      true,
    ]);
    if (!status) continue;
    const written = await kubeRequest(kube, {
      method: "PATCH",
      path: `${path}/${body.metadata.name}/status`,
      body: { status },
      contentType: "application/merge-patch+json",
    });
    expect([path, written.status, written.status === 200 || written.body]).toEqual([
      path,
      200,
      true,
    ]);
  }
}

async function tableAnswer({ group, version, plural, kind }: ServedResource) {
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const path = `${group === "" ? "/api" : "/apis"}/${apiVersion}/${plural}`;
  const list = (await get(path, "application/json")) as { items: never[] };
  const table = (await get(`${path}?includeObject=None`, TABLE)) as TableAnswer;
  const objects = list.items.map((item) => ({ apiVersion, kind, ...(item as object) }) as never);
  return { objects, table };
}

/** Without descriptions, which we do not have, and ages, which pass. */
function rough({ columnDefinitions, rows }: TableAnswer) {
  return {
    columns: columnDefinitions?.map((column) => ({ ...column, description: "" })),
    rows: rows.map(({ cells, conditions }) => ({
      conditions,
      cells: cells.map((cell) =>
        typeof cell === "string" ? cell.replaceAll(/\b\d+[smhd](\d+[smhd])?\b/g, "AGE") : cell,
      ),
    })),
  };
}

function record(answers: readonly object[]): void {
  const json = JSON.stringify(answers, (key, value) =>
    key === "managedFields" ? undefined : value,
  );
  writeFileSync(new URL("../local/kube-table-answers.json", import.meta.url), `${json}\n`);
}

function get(path: string, accept: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${kube.token}`, accept };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, kube.url), { ca: kube.ca, agent: false, headers });
    sent.once("error", reject).once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").once("error", reject);
      response.on("data", (part: string) => {
        text += part;
      });
      response.once("end", () => resolve(JSON.parse(text)));
    });
    sent.end();
  });
}
