import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { CustomResourceEvent } from "../../functions/platform-manifests/custom-resource.ts";
import { sendAnswer } from "../../functions/platform-manifests/send-answer.ts";
import { systemClock } from "../../shared/clock.ts";
import { recordedLog } from "../support/recorded-log.ts";
import { assetOf, type ManifestsStage, manifestsStage } from "./platform-manifests-stage.ts";

let stage: ManifestsStage;
beforeEach(() => {
  stage = manifestsStage();
  stage.assets.set("one", assetOf({}));
});
afterEach(() => stage.stop());

const create = (remainingMs?: number) =>
  stage.send({ ResourceProperties: stage.manifests("before-functions", "one") }, remainingMs);

test("an answer that CloudFormation does not take is sent again; the URL is never logged", async () => {
  const cause = Object.assign(new Error("connect ECONNRESET"), { code: "ECONNRESET" });
  stage.refusals = [
    503,
    new TypeError("cannot fetch https://cloudformation.example.com/?signature=secret", { cause }),
  ];
  expect(await create()).toMatchObject({ Status: "SUCCESS" });
  const told = stage.logged.filter(({ message }) => message === "CloudFormation was not told");
  expect(told.map(({ fields }) => fields.got)).toEqual(["status 503", "ECONNRESET"]);
  expect(JSON.stringify(stage.logged)).not.toMatch(/secret/);
});

test("fails when CloudFormation never takes it, so that Lambda tries once more; that leads to the same", async () => {
  stage.refusals = Array.from({ length: 6 }, () => 500);
  await expect(create()).rejects.toThrow(/cannot tell CloudFormation: .* got status 500; in a VPC/);
  expect(await create()).toMatchObject({ Status: "SUCCESS", Data: { created: "0", changed: "0" } });
});

test("is told before the function's time is up, also when nothing ends", async () => {
  stage.fault = () => Object.assign(new Error("broken"), { cause: { code: "ECONNRESET" } });
  const startMs = stage.clock.monotonicMs();
  const answer = await create(60_000);
  expect(answer).toMatchObject({
    Status: "FAILED",
    PhysicalResourceId: "tidegate:prod:team:before-functions",
  });
  expect(stage.clock.monotonicMs() - startMs).toBeLessThan(20_000);
});

test("a Create that cannot tell what it is for has made nothing, and its deletion succeeds", async () => {
  const answer = await stage.send({ ResourceProperties: { platform: "team" } });
  expect(answer).toMatchObject({ Status: "FAILED", PhysicalResourceId: "tidegate:unknown" });
  expect(answer.Reason).toMatch(/expected step to be .*, and cluster to be a text, and endpoint/);
  const { PhysicalResourceId } = answer;
  expect(await stage.send({ RequestType: "Delete", PhysicalResourceId })).toMatchObject({
    Status: "SUCCESS",
    PhysicalResourceId,
  });
});

test("a value that manifests ask for and nobody gives fails by its name", async () => {
  const ResourceProperties = { ...stage.manifests("before-functions", "one"), values: {} };
  expect((await stage.send({ ResourceProperties })).Reason).toBe(
    `cannot fill in "${"$"}{Table}": expected a value of that name, got none`,
  );
});

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function answeredOver(outcome: Parameters<typeof sendAnswer>[1]): Promise<Received> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += String(chunk);
    });
    request.on("end", () => {
      received.push({ headers: request.headers, body });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const event = { StackId: "s", RequestId: "r", LogicalResourceId: "l" } as CustomResourceEvent;
  const ResponseURL = `http://127.0.0.1:${port}/`;
  try {
    const host = { fetch, clock: systemClock, log: recordedLog().log };
    await sendAnswer({ ...event, ResponseURL }, outcome, host);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return received[0] as Received;
}

test("it goes out without a content type, for so its URL is signed", async () => {
  const { headers, body } = await answeredOver({ physicalId: "p", data: { created: "1" } });
  expect(headers["content-type"]).toBe("");
  expect(JSON.parse(body)).toEqual({
    Status: "SUCCESS",
    StackId: "s",
    RequestId: "r",
    LogicalResourceId: "l",
    PhysicalResourceId: "p",
    Data: { created: "1" },
  });
});

test.each([
  ["plain", "x"],
  ["wide", "\u{1F30A}"],
  ["escaped", "\u0001"],
])("a reason of %s characters is cut where 4 KB end", async (_, character) => {
  const { body } = await answeredOver({ physicalId: "p", failure: character.repeat(9_000) });
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(4096);
  const { Reason } = JSON.parse(body) as { Reason: string };
  expect(Reason).toMatch(/\.\.\.$/);
  expect(Buffer.byteLength(JSON.stringify(Reason))).toBeGreaterThan(3_000);
});
