import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { createKubeApi } from "../../local/kube/kube-api.ts";
import { runWorkloads } from "../../local/kube/workloads.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { recordedLog } from "../support/recorded-log.ts";

const NAMESPACE = "/namespaces/default";
const MANY = 2_000_000_000;
const labels = { app: "web" };
const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } };
const workload = { replicas: MANY, selector: { matchLabels: labels }, template };
const once = { ...template, spec: { ...template.spec, restartPolicy: "Never" } };

interface Event {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

test.each([
  ["apps/v1", "replicasets", workload],
  ["apps/v1", "statefulsets", { ...workload, serviceName: "web" }],
  ["apps/v1", "statefulsets", { ...workload, podManagementPolicy: "Parallel" }],
  ["batch/v1", "jobs", { parallelism: MANY, completions: MANY, template: once }],
])("%s %s of two thousand million pods get a few, and say so", async (version, plural, spec) => {
  const clock = new VirtualClock();
  const random = () => 0.5;
  const { transport, close } = createKubeApi({ clock, random: Math.random, newUid: randomUUID });
  const ending = new AbortController();
  const options = { transport, clock, random, log: recordedLog().log, maxPods: 5 };
  const running = runWorkloads(options, ending.signal);
  const body = { metadata: { name: "web" }, spec };
  const path = `/apis/${version}${NAMESPACE}/${plural}`;
  const { status } = await transport.request({ method: "POST", path, body });
  expect(status).toBe(201);
  await clock.advance(2_000);
  const listed = async (kind: string) => {
    const answer = await transport.request({ method: "GET", path: `/api/v1${NAMESPACE}/${kind}` });
    return (answer.body as { items: Event[] }).items;
  };
  expect(await listed("pods")).toHaveLength(5);
  const warnings = (await listed("events")).filter(({ type }) => type === "Warning");
  expect(warnings.map(({ reason, message }) => ({ reason, message }))).toEqual([
    {
      reason: "FailedCreate",
      message: expect.stringMatching(
        /expected at most 5 pods of one workload here, got 200000000\d/,
      ),
    },
  ]);
  ending.abort();
  await running;
  close();
});
