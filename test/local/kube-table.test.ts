import { expect, test } from "@jest/globals";
import type { ApiObject } from "../../local/kube/api-object.ts";
import { builtInResources } from "../../local/kube/built-in-resources.ts";
import { resourcesOfCrd } from "../../local/kube/crd-schema.ts";
import { findAll } from "../../local/kube/json-path.ts";
import type { ServedResource } from "../../local/kube/served-resource.ts";
import { tableOf, tableOfObject } from "../../local/kube/table.ts";
import { ageOf, humanDuration } from "../../local/kube/table-age.ts";
import { configMap, resourceOf } from "./kube-store-fixtures.ts";
import answers from "./kube-table-answers.json" with { type: "json" };
import made from "./kube-table-objects.json" with { type: "json" };

const definition = made.widgetDefinition as unknown as ApiObject;
const resources = new Map<string, ServedResource>(
  [...builtInResources(), ...resourcesOfCrd(definition)].map((resource) => [
    `${resource.group}/${resource.version}/${resource.plural}`,
    resource,
  ]),
);

// Recorded from kube-apiserver by test/real/kube-table.test.ts.
test.each(answers.map((answer) => [answer.resource, answer] as const))(
  "rows of %s are those of the API server",
  (name, { nowMs, objects, rows }) => {
    const resource = resources.get(name);
    if (!resource) throw new Error(`no resource ${name}`);
    const items = objects as unknown as ApiObject[];
    const table = tableOf(
      { metadata: { resourceVersion: "1" }, items },
      { resource, version: "v1", includeObject: "None", nowMs },
    );
    expect(withoutAges(table.rows)).toEqual(withoutAges(rows));
  },
);

/** The request took its time: ages may differ by a second. */
function withoutAges(rows: unknown): unknown {
  return JSON.parse(JSON.stringify(rows).replaceAll(/\b\d+[smhd](\d+[smhd])?\b/g, "AGE"));
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [-2 * SECOND, "<invalid>"],
  [-SECOND, "0s"],
  [0, "0s"],
  [119 * SECOND, "119s"],
  [120 * SECOND, "2m"],
  [5 * MINUTE + 12 * SECOND, "5m12s"],
  [10 * MINUTE + 59 * SECOND, "10m"],
  [179 * MINUTE, "179m"],
  [3 * HOUR, "3h"],
  [7 * HOUR + 59 * MINUTE, "7h59m"],
  [47 * HOUR, "47h"],
  [2 * DAY, "2d"],
  [2 * DAY + 5 * HOUR, "2d5h"],
  [8 * DAY + 5 * HOUR, "8d"],
  [729 * DAY, "729d"],
  [730 * DAY, "2y"],
  [800 * DAY, "2y70d"],
  [8 * 365 * DAY, "8y"],
])("a duration of %d ms is shown as %j", (ms, text) => {
  expect(humanDuration(ms)).toBe(text);
});

test.each([
  [undefined, "<unknown>"],
  ["", "<unknown>"],
  ["yesterday", "<invalid>"],
  ["2026-01-01", "<invalid>"],
  ["2026-01-01T01:00:00+01:00", "60s"],
  ["2026-01-01T00:00:30.000000Z", "30s"],
])("the age of %j", (time, text) => {
  expect(ageOf(time, Date.UTC(2026, 0, 1, 0, 1))).toBe(text);
});

const data = {
  a: { "b.c": 1, list: [1, 2, 3, 4] },
  items: [
    { name: "one", ready: true, n: 1 },
    { name: "two", ready: false, n: 2 },
    { name: "it's", n: 3 },
  ],
};

test.each<[string, unknown[]]>([
  [".a.list", [[1, 2, 3, 4]]],
  ["{.a.list[0]}", [1]],
  [".a.list[-1]", [4]],
  [".a.list[9]", []],
  [".a.list[1:3]", [2, 3]],
  [".a.list[-2:]", [3, 4]],
  [".a.list[0:4:2]", [1, 3]],
  [".a.list[0,2]", [1, 3]],
  [".a.b\\.c", [1]],
  [".a['b.c']", [1]],
  ["$.items[*].name", ["one", "two", "it's"]],
  ['.items[?(@.name=="two")].n', [2]],
  [".items[?(@.name=='it\\'s')].n", [3]],
  [".items[?(@.n>=2)].name", ["two", "it's"]],
  [".items[?(@.n!=2)].n", [1, 3]],
  [".items[?(@.ready==true)].n", [1]],
  [".items[?(@.ready)].n", [1, 2]],
  ["..n", [1, 2, 3]],
  [".absent.deeper", []],
  [".a.list.name", []],
])("JSONPath %j", (path, expected) => {
  expect(findAll(path, data)).toEqual(expected);
});

test.each([".a[", ".a[x]", ".a[?(@.b]"])("JSONPath %j is refused", (path) => {
  expect(() => findAll(path, data)).toThrow(/^reading a JSONPath: expected/);
});

test("a comparison of different types fails", () => {
  expect(() => findAll('.items[?(@.n=="1")]', data)).toThrow("expected two strings, got number");
});

test.each([
  ["None", null],
  ["Metadata", { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1beta1" }],
  ["Object", { kind: "ConfigMap", apiVersion: "v1", data: { x: "1" } }],
] as const)("includeObject %s", (includeObject, expected) => {
  const object = configMap("a", { data: { x: "1" } }, { resourceVersion: "7" });
  const options = { resource: resourceOf(), version: "v1beta1", includeObject, nowMs: 0 };
  const table = tableOfObject(object, options);
  expect(table).toMatchObject({
    apiVersion: "meta.k8s.io/v1beta1",
    metadata: { resourceVersion: "7" },
  });
  if (expected) expect(table.rows[0]?.object).toMatchObject(expected);
  else expect(table.rows[0]?.object).toBeNull();
});
