import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { createMappingSwitch } from "../../cli/operate-mapping.ts";
import type { PauseSwitch } from "../../cli/operate-pause.ts";

const ARN = "arn:aws:sqs:us-east-1:000000000000:tidegate-main-website.fifo";

/** The mappings of the queue, as Lambda would list them. */
let mappings: { UUID: string; State: string }[] = [];
const updates: object[] = [];
let pauses: PauseSwitch;

/** SQS and Lambda, as far as a switch asks them. */
const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = "", method = "", headers } = request;
  let text = "";
  for await (const chunk of request) text += chunk;
  response.setHeader("content-type", "application/json");
  response.end(
    JSON.stringify(answerTo({ url, method, target: String(headers["x-amz-target"]), text })),
  );
}

function answerTo(asked: { url: string; method: string; target: string; text: string }): object {
  if (asked.target.endsWith("GetQueueUrl")) return { QueueUrl: `${endpoint()}/queue` };
  if (asked.target.endsWith("GetQueueAttributes")) return { Attributes: { QueueArn: ARN } };
  if (asked.method === "GET") {
    const of = new URL(asked.url, endpoint()).searchParams.get("EventSourceArn");
    return { EventSourceMappings: of === ARN ? mappings : [] };
  }
  updates.push({ path: asked.url, ...(JSON.parse(asked.text) as object) });
  return {};
}

const endpoint = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const credentials = { accessKeyId: "a", secretAccessKey: "b" };
  const aws = { endpoint: endpoint(), region: "us-east-1", credentials };
  pauses = createMappingSwitch({ aws, cluster: "main" });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  updates.length = 0;
});

test.each([
  [[], "missing"],
  [["Enabled"], "running"],
  [["Enabling"], "running"],
  [["Disabling"], "pausing"],
  [["Disabled"], "paused"],
  [["Disabled", "Enabled"], "running"],
])("mappings that are %j: %s", async (states, expected) => {
  mappings = states.map((State, index) => ({ UUID: `m-${index}`, State }));
  expect(await pauses.state("website")).toBe(expected);
});

test("a pause disables each mapping of the queue, a resume enables them", async () => {
  mappings = ["a", "b"].map((UUID) => ({ UUID, State: "Enabled" }));
  await pauses.set("website", true);
  await pauses.set("website", false);
  const path = (id: string) => `/2015-03-31/event-source-mappings/${id}`;
  expect(updates).toEqual([
    { path: path("a"), Enabled: false },
    { path: path("b"), Enabled: false },
    { path: path("a"), Enabled: true },
    { path: path("b"), Enabled: true },
  ]);
});

test("fails where nothing connects the queue to a function", async () => {
  mappings = [];
  await expect(pauses.set("website", true)).rejects.toThrow(
    /cannot find what runs controller website: expected an event source mapping of queue tidegate-main-website.fifo, got none; deploy it/,
  );
});
