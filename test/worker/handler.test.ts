import { expect, test } from "@jest/globals";
import { defineController } from "../../shared/api/controller.ts";
import type { ReconcileRequest } from "../../shared/queue/request.ts";
import { readEnvironment } from "../../shared/worker/environment.ts";
import { reconcileHandler } from "../../shared/worker/reconcile-handler.ts";
import { sendRequest } from "../../shared/worker/request-reconcile.ts";
import { requireEnv } from "../../shared/worker/require-env.ts";
import { Site, siteController } from "../support/worker-host.ts";
import { WorkerQueue } from "../support/worker-queue.ts";

const complete = {
  TIDEGATE_TABLE: "tidegate",
  TIDEGATE_QUEUE_URL: "https://sqs/q.fifo",
  TIDEGATE_CLUSTER: "main",
  TIDEGATE_REVISION: "r1",
  TIDEGATE_EKS_ENDPOINT: "https://eks",
  TIDEGATE_EKS_CA: "Y2E=",
  AWS_REGION: "eu-central-1",
};

test("a whole environment", () => {
  expect(readEnvironment(complete)).toEqual({
    table: "tidegate",
    queueUrl: "https://sqs/q.fifo",
    cluster: "main",
    revision: "r1",
    access: { endpoint: "https://eks", certificateAuthorityData: "Y2E=", region: "eu-central-1" },
  });
});

test("an access file goes before EKS", () => {
  expect(readEnvironment({ ...complete, TIDEGATE_KUBE_ACCESS: "/a.json" }).access).toEqual({
    file: "/a.json",
  });
});

test.each(Object.keys(complete))("without %s: one clear error that names it", (name) => {
  expect(() => readEnvironment({ ...complete, [name]: undefined })).toThrow(name);
  expect(() => readEnvironment({ ...complete, [name]: "" })).toThrow(name);
});

test("requireEnv names the variable", () => {
  expect(requireEnv("A", { A: "1" })).toBe("1");
  expect(() => requireEnv("A", {})).toThrow(
    "cannot read environment variable A: expected a value, got none",
  );
});

test("a handler is made without an environment, and each invocation fails for what is missing then", async () => {
  const handler = reconcileHandler(siteController, { reconcile: async () => {} });
  const invocation = { getRemainingTimeInMillis: () => 1_000 };
  await expect(handler({ Records: [] }, invocation)).rejects.toThrow("TIDEGATE_TABLE");
  process.env.TIDEGATE_TABLE = "tidegate";
  await expect(handler({ Records: [] }, invocation)).rejects.toThrow("TIDEGATE_QUEUE_URL");
  delete process.env.TIDEGATE_TABLE;
});

test("a controller with a finalizer needs a finalize, or every deletion would leak", () => {
  const controller = defineController({
    name: "site",
    for: Site,
    finalizer: "web.example.com/dns",
  });
  const incomplete = { reconcile: async () => {} };
  expect(() => reconcileHandler(controller, incomplete as never)).toThrow(
    "cannot run controller site: expected its reconciler to have a function finalize",
  );
  expect(() => reconcileHandler(siteController, {} as never)).toThrow("a function reconcile");
});

test("a requested reconcile has a unique id, and rejects when it was not accepted", async () => {
  const queue = new WorkerQueue();
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  const request: ReconcileRequest = {
    cluster: "main",
    controller: "site",
    namespace: "a",
    name: "x",
    reason: "manual",
  };
  await sendRequest({ queue, newId }, request);
  await sendRequest({ queue, newId }, request);
  expect(queue.sent).toEqual([
    { request, cause: "unique id-1" },
    { request, cause: "unique id-2" },
  ]);
  const refusing = new WorkerQueue();
  refusing.send = async () => [false];
  await expect(sendRequest({ queue: refusing, newId }, request)).rejects.toThrow(
    "cannot request a reconcile of a/x by site",
  );
});
