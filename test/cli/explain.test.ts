import { expect, test } from "@jest/globals";
import { explain } from "../../cli/explain.ts";
import type { ExplainFacts } from "../../cli/finding.ts";
import {
  ConfigMap,
  changed,
  Deployment,
  defineController,
  inNamespaces,
} from "../../shared/api/index.ts";
import { build, deleting } from "../../shared/testing/build.ts";
import { config, ended, facts, findingOf, NOW, plain, SECOND, seenOf } from "./explain-fixtures.ts";

/** A controller of ConfigMaps that says more. */
function defined(options: object): Partial<ExplainFacts> {
  return { controller: defineController({ name: "digest", for: ConfigMap, ...options }) as never };
}

/** Of a change of its resourceVersion alone it sees nothing. */
const byData = changed((object: ConfigMap) => object.data);

const other = build(ConfigMap, { metadata: { name: "a", resourceVersion: "8" } });
const deployment = build(Deployment, { metadata: { name: "web" }, spec: {} as never });
const doomed = { value: deleting(config, "other.example.com/x") };
const ours = { value: deleting(config, "digest.example.com/x") };
const finalizer = { finalizer: "digest.example.com/x" };
const running = { runId: "r", runUntil: NOW + 20 * SECOND, startedAt: NOW - 5 * SECOND };
const source = { name: "configmaps", controllers: ["digest"] };

test.each<[code: string, level: string, text: RegExp, Partial<ExplainFacts>]>([
  // Queue, function and dead letters.
  ["paused", "problem", /^digest is paused: no run/, { runState: { value: "paused" } }],
  ["pausing", "problem", /^digest is pausing/, { runState: { value: "pausing" } }],
  ["no-function", "problem", /nothing takes messages/, { runState: { value: "missing" } }],
  ["pause-unknown", "info", /AccessDenied$/, { runState: { unknown: "AccessDenied" } }],
  ["queue-unknown", "problem", /no queue/, { queue: { unknown: "no queue" } }],
  [
    "backlog",
    "waiting",
    /^about 4 requests .* 2 are taken; one for ConfigMap default\/a may/,
    { queue: { value: { waiting: 4, inFlight: 2 } } },
  ],
  [
    "dead-letter",
    "problem",
    /^2 of its requests .*: boom$/,
    {
      deadLetters: {
        value: [
          { messageId: "1", sentAtMs: 0, receiptHandle: "r", error: "boom" },
          { messageId: "2", sentAtMs: 0, receiptHandle: "s" },
        ],
      },
    },
  ],
  // The watcher.
  ["led", "info", /w-1 leads/, {}],
  ["no-watcher", "problem", /"main"/, { lease: { value: { state: "none" } } }],
  [
    "watcher-stopped",
    "problem",
    /stopped/,
    { lease: { value: { state: "released", clusterUid: "u" } } },
  ],
  [
    "watcher-silent",
    "problem",
    /w-1 does not renew/,
    { lease: { value: { state: "silent", holder: "w-1", clusterUid: "u" } } },
  ],
  ["lease-unknown", "info", /no table/, { lease: { unknown: "no table" } }],
  ["other-cluster", "problem", /another cluster/, { clusterUid: { value: "v" } }],
  ["not-deployed", "problem", /never deployed/, { revision: undefined }],
  [
    "source-unavailable",
    "problem",
    /configmaps: 403 Forbidden/,
    { sources: { value: [{ ...source, state: "unavailable", reason: "403 Forbidden" }] } },
  ],
  [
    "source-syncing",
    "waiting",
    /still lists configmaps/,
    { sources: { value: [{ ...source, state: "syncing" }] } },
  ],
  // What the definition shuts out.
  [
    "namespace-excluded",
    "problem",
    /namespaces shop alone, and not default/,
    defined({ namespaces: ["shop"] }),
  ],
  ["labels-excluded", "problem", /"app=web"/, defined({ labels: { app: "web" } })],
  [
    "fields-excluded",
    "problem",
    /"metadata.name=b"/,
    defined({ fields: { "metadata.name": "b" } }),
  ],
  [
    "scope-excluded",
    "problem",
    /predicate of digest leaves it out/,
    defined({ predicate: inNamespaces("shop") }),
  ],
  [
    "scope-excluded",
    "problem",
    /eventFilter of digest/,
    defined({ eventFilter: inNamespaces("shop") }),
  ],
  [
    "predicate-refuses",
    "problem",
    /the predicate of digest does not let/,
    defined({ predicate: () => false }),
  ],
  [
    "predicate-refuses",
    "problem",
    /the eventFilter of digest/,
    defined({ eventFilter: () => false }),
  ],
  [
    "predicate-throws",
    "problem",
    /throws on it \(odd\)/,
    defined({
      predicate: () => {
        throw new Error("odd");
      },
    }),
  ],
  [
    "finalizer-held",
    "info",
    /every 5 min/,
    {
      ...defined({ ...finalizer, namespaces: ["shop"] }),
      object: {
        value: build(ConfigMap, { metadata: { name: "a", finalizers: ["digest.example.com/x"] } }),
      },
    },
  ],
  // Deletion.
  [
    "object-unknown",
    "problem",
    /ConfigMap default\/a cannot be read: refused/,
    { object: { unknown: "refused" } },
  ],
  [
    "never-there",
    "problem",
    /there is no ConfigMap default\/a/,
    { object: { value: undefined }, record: undefined },
  ],
  [
    "gone",
    "info",
    /is gone, and the last run found that/,
    { object: { value: undefined }, record: ended({ outcome: "gone" }) },
  ],
  ["gone-unseen", "waiting", /no run has found that/, { object: { value: undefined } }],
  [
    "finalizing",
    "waiting",
    /finalize must end well before digest.example.com\/x/,
    { ...defined(finalizer), object: ours },
  ],
  [
    "other-finalizers",
    "waiting",
    /waits for others to remove other.example.com\/x/,
    { object: doomed },
  ],
  [
    "terminating",
    "waiting",
    /reconcile is not called any more$/,
    {
      object: {
        value: build(ConfigMap, {
          metadata: { name: "a", deletionTimestamp: "2026-01-01T00:00:00Z" },
        }),
      },
    },
  ],
  // Runs.
  ["never-ran", "waiting", /no run was ever started/, { record: undefined }],
  [
    "running",
    "waiting",
    /run 3 \(change\) began 5 s ago and goes on, until in 20 s/,
    { record: ended(running) },
  ],
  [
    "run-died",
    "problem",
    /began 60 s ago and never ended/,
    { record: ended({ ...running, startedAt: NOW - 60 * SECOND, runUntil: NOW - 1 }) },
  ],
  ["succeeded", "info", /\(change\) ended well 60 s ago/, {}],
  ["succeeded", "info", /^the last run ended well/, { record: ended(running) }],
  ["succeeded", "info", /ended well/, { record: ended({ outcome: "requeue_after" }) }],
  [
    "failing",
    "problem",
    /failed 60 s ago, 4 times in a row: boom/,
    { record: ended({ outcome: "error", error: "boom", failures: 4 }) },
  ],
  [
    "failing",
    "problem",
    /once in a row/,
    { record: ended({ ...running, outcome: "error", failures: 2 }) },
  ],
  ["throttled", "waiting", /asked for less/, { record: ended({ outcome: "throttled" }) }],
  ["conflict", "waiting", /others changed/, { record: ended({ outcome: "conflict" }) }],
  [
    "terminal-error",
    "problem",
    /not retried: bad host/,
    { record: ended({ outcome: "terminal_error", error: "bad host" }) },
  ],
  [
    "given-up",
    "problem",
    /after 5 times it was given up/,
    { record: ended({ outcome: "given_up", failures: 5 }) },
  ],
  ["released", "info", /outside of the selection/, { record: ended({ outcome: "released" }) }],
  // Retries and timers.
  [
    "retry",
    "waiting",
    /^its retry comes in 10 s/,
    { record: ended({ outcome: "error", dueAt: NOW + 40 * SECOND, retryHandle: "h" }) },
  ],
  [
    "retry",
    "waiting",
    /^its retry comes in 40 s/,
    { record: ended({ outcome: "error", dueAt: NOW + 40 * SECOND }) },
  ],
  [
    "timer",
    "waiting",
    /timer of its result comes in 90 s/,
    { record: ended({ outcome: "requeue_after", dueAt: NOW + 90 * SECOND }) },
  ],
  [
    "overdue",
    "problem",
    /was due 60 s ago/,
    { record: ended({ outcome: "requeue_after", dueAt: NOW - 60 * SECOND }) },
  ],
  [
    "wakes-itself",
    "problem",
    /the next may run in 8 s/,
    { record: ended({ heldUntil: NOW + 8 * SECOND }) },
  ],
  // Whether it is up to date.
  ["up-to-date", "info", /exactly as it is/, {}],
  [
    "up-to-date",
    "info",
    /all that the predicate compares/,
    {
      ...defined({ predicate: byData }),
      record: ended({ seen: seenOf(defined({ predicate: byData }).controller, config) }),
      object: { value: other },
    },
  ],
  ["changed", "waiting", /not as the last run saw it/, { object: { value: other } }],
  ["other-code", "waiting", /\(r1\) than is deployed \(r2\)/, { revision: "r2" }],
  ["seen-unknown", "info", /not known/, { record: ended({ seen: Uint8Array.of(0) }) }],
  [
    "related-changed",
    "waiting",
    /as they are now: Deployment default\/web;/,
    { unseen: { value: ["Deployment default/web"] } },
  ],
])("tells %s as %s", (code, level, text, change) => {
  const finding = findingOf(explain(facts(change)), code);
  expect(finding?.level).toBe(level);
  expect(finding?.text).toMatch(text);
});

test("an object for which all is well has no problems, and nothing to do", () => {
  const findings = explain(facts());
  expect(findings.map(({ code }) => code)).toEqual(["led", "succeeded", "up-to-date"]);
});

test("problems come first, then what is waited for", () => {
  const record = ended({ outcome: "error", failures: 1, dueAt: NOW + SECOND });
  const findings = explain(facts({ record, runState: { value: "paused" } }));
  expect(findings.map(({ code }) => code)).toEqual([
    "paused",
    "failing",
    "retry",
    "led",
    "up-to-date",
  ]);
});

test("advises a request only where it would run", () => {
  const changedObject = { object: { value: other } };
  const advice = (change: Partial<ExplainFacts>) =>
    findingOf(explain(facts({ ...changedObject, ...change })), "changed")?.todo;
  expect(advice({})).toMatch(/at once by: tidegate reconcile configmaps a -n default$/);
  expect(advice({ runState: { value: "paused" } })).not.toMatch(/tidegate reconcile/);
});

test("says nothing of an object's freshness while it runs, or where it is excluded", () => {
  const codes = (change: Partial<ExplainFacts>) => explain(facts(change)).map(({ code }) => code);
  expect(codes({ record: ended(running) })).not.toContain("up-to-date");
  expect(codes(defined({ labels: { app: "web" } }))).not.toContain("up-to-date");
  expect(codes({ ...defined({ labels: { app: "web" } }), record: undefined })).not.toContain(
    "never-ran",
  );
});

test("what the record of an owned object tells follows from its own fingerprint", () => {
  const record = ended({ seen: seenOf(plain as never, config, deployment) });
  expect(explain(facts({ record })).map(({ code }) => code)).toContain("up-to-date");
});
