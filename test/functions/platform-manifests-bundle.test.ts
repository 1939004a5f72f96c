import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { bundleFunction } from "../../cdk/bundle-function.ts";

const ROOT = join(import.meta.dirname, "../..");
/** 262 kB when this was written, most of it the client of DynamoDB. */
const MAX_BYTES = 330_000;

test("the bundle has no schemas and no kubeconfig, and by itself answers CloudFormation", async () => {
  const outdir = await mkdtemp(join(tmpdir(), "tidegate-manifests-"));
  try {
    const { outputs } = await bundleFunction({
      entry: "functions/platform-manifests/handler.ts",
      outdir,
      workingDir: ROOT,
      conditions: ["tidegate-source"],
    });
    const inputs = Object.values(outputs).flatMap((each) => Object.keys(each.inputs));
    const unwanted = /zod|shared\/crd\/|client-node|client-(s3|sqs|lambda)|esbuild/;
    expect(inputs.filter((path) => unwanted.test(path))).toEqual([]);
    const bytes = Object.values(outputs).reduce((sum, each) => sum + each.bytes, 0);
    expect(bytes).toBeLessThan(MAX_BYTES);
    expect(await answerOf(outdir)).toMatchObject({
      Status: "FAILED",
      PhysicalResourceId: "tidegate:unknown",
      Reason: expect.stringMatching(/^cannot carry out Create: expected Custom::TidegateManifests/),
    });
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}, 60_000);

/** In a process of its own, as Lambda runs it. */
async function answerOf(dir: string): Promise<unknown> {
  let answer: unknown;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      answer = JSON.parse(body);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const event = {
    RequestType: "Create",
    ResponseURL: `http://127.0.0.1:${port}/`,
    StackId: "s",
    RequestId: "r",
    ResourceType: "Custom::Other",
    LogicalResourceId: "l",
    ResourceProperties: {},
  };
  const program = `import { handler } from "./index.mjs";
    await handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 900_000 });`;
  await writeFile(join(dir, "run.mjs"), program);
  const env = { AWS_REGION: "eu-west-1", AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
  await promisify(execFile)(process.execPath, [join(dir, "run.mjs")], { env });
  server.closeAllConnections();
  server.close();
  return answer;
}
