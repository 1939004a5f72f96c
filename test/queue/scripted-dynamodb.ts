import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createDynamoClient } from "../../shared/queue/dynamo-client.ts";
import type { DynamoTable } from "../../shared/queue/dynamo-read.ts";

/** Answers one call of an action ("UpdateItem"). */
export type Answer = (action: string, input: unknown) => { status: number; body: object };

/**
 * A DynamoDB service that says what a test wants it to say, for answers that dynalite never gives,
 * with a client of it and a clock that runs only while somebody sleeps on it.
 */
export async function scriptedDynamoDb(
  answer: Answer,
): Promise<{ readonly table: DynamoTable; readonly close: () => Promise<void> }> {
  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const target = String(request.headers["x-amz-target"]);
    const { status, body } = answer(target.slice(target.indexOf(".") + 1), JSON.parse(text));
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void reply(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const client = createDynamoClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: "us-east-1",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
  });
  const close = async () => {
    client.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  return { table: { client, tableName: "t", clock: sleptClock(), random: () => 1 }, close };
}

function sleptClock() {
  let nowMs = 0;
  const sleep = async (ms: number) => {
    nowMs += ms;
  };
  return { nowMs: () => nowMs, monotonicMs: () => nowMs, sleep };
}
