import { expect, test } from "@jest/globals";
import { ApiError } from "../../local/kube/api-error.ts";
import { listAnswer, listAnswerJson, objectAnswer } from "../../local/kube/list-answer.ts";
import { negotiate } from "../../local/kube/list-format.ts";
import { listObjects } from "../../local/kube/list-objects.ts";
import { listOptionsOf, type Query } from "../../local/kube/list-options.ts";
import { configMap, memoryStore, put, remove, resourceOf, widgets } from "./kube-store-fixtures.ts";

const resource = resourceOf();

/** a to e in "default" (versions 2 to 6), and f in "other" (7). */
function filled() {
  const store = memoryStore();
  for (const name of ["a", "b", "c", "d", "e"]) {
    put(store, configMap(name, {}, { labels: { app: name < "c" ? "x" : "y" } }));
  }
  put(store, configMap("f", {}, { namespace: "other" }));
  return {
    store,
    list: (query: Query, namespace = "default") => {
      const { metadata, items } = listObjects(
        store,
        { resource, namespace },
        listOptionsOf(query, resource),
      );
      return { ...metadata, names: items.map((item) => item.metadata.name).join("") };
    },
  };
}

function failure(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, reason, message, details } = error;
    return { code, reason, message, ...(details && { details }) };
  }
}

test("a list is of one namespace or of all, with the version of the store", () => {
  const { list } = filled();
  expect(list({})).toEqual({ resourceVersion: "7", names: "abcde" });
  expect(list({}, "")).toEqual({ resourceVersion: "7", names: "abcdef" });
  expect(list({ labelSelector: "app=x" })).toEqual({ resourceVersion: "7", names: "ab" });
  expect(list({ fieldSelector: "metadata.name!=b" }, "")).toMatchObject({ names: "acdef" });
});

test("pages are read at one version, whatever is written meanwhile", () => {
  const { store, list } = filled();
  const first = list({ limit: "2" });
  expect(first).toMatchObject({ resourceVersion: "7", remainingItemCount: 3, names: "ab" });
  put(store, configMap("bb"));
  remove(store, "d");
  const second = list({ limit: "2", continue: first.continue });
  expect(second).toMatchObject({ resourceVersion: "7", remainingItemCount: 1, names: "cd" });
  expect(list({ limit: "2", continue: second.continue })).toEqual({
    resourceVersion: "7",
    names: "e",
  });
});

test("pages with a selector do not say how many remain", () => {
  const { list } = filled();
  const { continue: token, ...first } = list({ limit: "1", labelSelector: "app=y" });
  expect(first).toEqual({ resourceVersion: "7", names: "c" });
  expect(list({ labelSelector: "app=y", continue: token })).toEqual({
    resourceVersion: "7",
    names: "de",
  });
});

test("tokens have the form of the API server's", () => {
  const { list } = filled();
  const token = (namespace: string) =>
    Buffer.from(list({ limit: "1" }, namespace).continue ?? "", "base64url").toString();
  expect(token("default")).toBe('{"v":"meta.k8s.io/v1","rv":7,"start":"/a\\u0000"}');
  expect(token("")).toBe('{"v":"meta.k8s.io/v1","rv":7,"start":"/default/a\\u0000"}');
});

test("an expired token is refused with one that goes on at the newest version", () => {
  const { store, list } = filled();
  const { continue: token } = list({ limit: "2" });
  put(store, configMap("d2"));
  store.compact();
  let error: unknown;
  try {
    list({ continue: token });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({
    code: 410,
    reason: "Expired",
    message: expect.stringMatching(
      /^The provided continue parameter is too old to display a consistent list result\. You can start a new list without the continue parameter, or use .* may show up in the list\.$/,
    ),
    metadata: { continue: expect.any(String) },
  });
  const { metadata } = error as ApiError;
  expect(list({ continue: String(metadata.continue) })).toEqual({
    resourceVersion: "8",
    names: "cdd2e",
  });
});

test.each<[Query, object]>([
  [{ resourceVersion: "0" }, { resourceVersion: "7", names: "abcde" }],
  [
    { resourceVersion: "0", limit: "2" },
    { resourceVersion: "7", names: "abcde" },
  ],
  [{ resourceVersion: "3" }, { resourceVersion: "7", names: "abcde" }],
  [
    { resourceVersion: "3", resourceVersionMatch: "NotOlderThan" },
    { resourceVersion: "7", names: "abcde" },
  ],
  [
    { resourceVersion: "3", resourceVersionMatch: "Exact" },
    { resourceVersion: "3", names: "ab" },
  ],
  [
    { resourceVersion: "3", limit: "5" },
    { resourceVersion: "3", names: "ab" },
  ],
  [{ limit: "-1" }, { resourceVersion: "7", names: "abcde" }],
  [{ limit: "5" }, { resourceVersion: "7", names: "abcde" }],
])("a list with %j", (query, expected) => {
  expect(filled().list(query)).toEqual(expected);
});

const tooLarge = {
  code: 504,
  reason: "Timeout",
  message: "Timeout: Too large resource version: 999, current: 7",
  details: {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  },
};

// What kube-apiserver 1.37.2 answers to these.
test.each<[Query, unknown]>([
  [{ resourceVersion: "999" }, tooLarge],
  [{ resourceVersion: "999", resourceVersionMatch: "Exact" }, tooLarge],
  [
    { resourceVersion: "abc" },
    bad(
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ),
  ],
  [
    { resourceVersion: "18446744073709551616" },
    bad(
      'invalid resource version: resourceVersion: Invalid value: "18446744073709551616": strconv.ParseUint: parsing "18446744073709551616": value out of range',
    ),
  ],
  [
    { limit: "9223372036854775808" },
    bad('strconv.ParseInt: parsing "9223372036854775808": value out of range'),
  ],
  [{ limit: "abc" }, bad('strconv.ParseInt: parsing "abc": invalid syntax')],
  [{ limit: "" }, bad('strconv.ParseInt: parsing "": invalid syntax')],
  [
    { continue: "e30" },
    bad(
      "invalid continue token: continue key is not valid: server does not recognize this encoded version ",
    ),
  ],
  [
    { continue: "xx" },
    bad(
      "invalid continue token: continue key is not valid: invalid character 'Ç' looking for beginning of value",
    ),
  ],
  [
    { continue: "IjEi" },
    bad(
      "invalid continue token: continue key is not valid: json: cannot unmarshal string into Go value of type storage.continueToken",
    ),
  ],
  [
    { continue: "!!" },
    bad("invalid continue token: continue key is not valid: illegal base64 data at input byte 0"),
  ],
  [
    { continue: "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MCwic3RhcnQiOiIvYlx1MDAwMCJ9" },
    bad(
      "invalid continue token: continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)",
    ),
  ],
  [
    {
      continue: "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6Nywic3RhcnQiOiIvYVx1MDAwMCJ9",
      resourceVersion: "7",
    },
    bad("specifying resource version is not allowed when using continue"),
  ],
  [
    { resourceVersionMatch: "Exact" },
    invalid("resourceVersionMatch is forbidden unless resourceVersion is provided"),
  ],
  [
    { resourceVersion: "0", resourceVersionMatch: "Exact" },
    invalid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
  ],
  [
    { sendInitialEvents: "true" },
    invalid("sendInitialEvents is forbidden for list", "sendInitialEvents"),
  ],
])("a list with %j is refused with the API server's words", (query, expected) => {
  expect(failure(() => filled().list(query))).toEqual(expected);
});

test("an exact version that is forgotten is gone", () => {
  const { store, list } = filled();
  store.compact();
  expect(failure(() => list({ resourceVersion: "3", resourceVersionMatch: "Exact" }))).toEqual({
    code: 410,
    reason: "Expired",
    message: "The resourceVersion for the provided list is too old.",
  });
});

test("a watch on one object by its path takes its name as a field selector", () => {
  const options = listOptionsOf({ watch: "1" }, resource, "a");
  expect(options.fields.terms).toEqual([{ field: "metadata.name", equal: true, value: "a" }]);
  const other = { fieldSelector: "metadata.name=b" };
  expect(failure(() => listOptionsOf(other, resource, "a"))).toEqual(
    bad("fieldSelector metadata.name doesn't match requested name"),
  );
});

test("items of built-in kinds do not say what they are, those of custom ones do", () => {
  const listed = { metadata: { resourceVersion: "7" }, items: [configMap("a", { data: {} })] };
  const format = { as: "Object" } as const;
  const { apiVersion: _v, kind: _k, ...untyped } = configMap("a", { data: {} });
  const head = { kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion: "7" } };
  const builtIn = { resource, format, nowMs: 0 };
  expect(listAnswer(listed, builtIn)).toEqual({ ...head, items: [untyped] });
  expect(JSON.parse(listAnswerJson(listed, builtIn))).toEqual({ ...head, items: [untyped] });
  const custom = { ...builtIn, resource: widgets };
  expect(JSON.parse(listAnswerJson(listed, custom))).toEqual({
    kind: "WidgetList",
    apiVersion: "example.com/v1",
    metadata: { continue: "", resourceVersion: "7" },
    items: listed.items,
  });
});

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
const PARTIAL = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

test.each<[string | undefined, object]>([
  [undefined, { as: "Object" }],
  ["", { as: "Object" }],
  ["*/*", { as: "Object" }],
  ["application/json;stream=watch", { as: "Object" }],
  ["application/vnd.kubernetes.protobuf, application/json", { as: "Object" }],
  ["text/html,application/json;q=0.1", { as: "Object" }],
  [TABLE, { as: "Table", version: "v1", includeObject: "Metadata" }],
  [
    "application/json;as=Table;v=v2;g=meta.k8s.io,application/json;as=Table;g=meta.k8s.io;v=v1beta1,application/json",
    { as: "Table", version: "v1beta1", includeObject: "Metadata" },
  ],
  ["application/json;as=Foo;v=v1;g=meta.k8s.io,application/json", { as: "Object" }],
  [
    `application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,${PARTIAL}`,
    { as: "PartialObjectMetadata", version: "v1" },
  ],
])("Accept %j is answered with %j", (accept, expected) => {
  expect(negotiate({ accept, query: {}, custom: false, list: true })).toEqual(expected);
});

const ACCEPTED =
  "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf";
const AVAILABLE =
  "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf";

test.each([
  ["application/vnd.kubernetes.protobuf", { custom: true, list: false }, ACCEPTED],
  ["application/xml", { custom: true, list: false }, ACCEPTED],
  ["application/json;as=Table;v=v2;g=meta.k8s.io", { custom: false, list: false }, ACCEPTED],
  ["application/json;stream=foo", { custom: false, list: false }, ACCEPTED],
  ["application/xml", { custom: false, list: false }, AVAILABLE],
  [
    "text/html",
    { custom: false, list: true },
    `${AVAILABLE}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`,
  ],
])("Accept %j of %j is refused with the API server's words", (accept, of, message) => {
  expect(failure(() => negotiate({ accept, query: {}, ...of }))).toMatchObject({
    code: 406,
    reason: "NotAcceptable",
    message,
  });
});

test("an unknown includeObject is refused", () => {
  const query = { includeObject: "Foo" };
  expect(failure(() => negotiate({ accept: TABLE, query, custom: false, list: true }))).toEqual(
    bad(
      "Unable to convert to Table as requested: includeObject: Invalid value: \"Foo\": must be 'Metadata', 'Object', 'None', or empty",
    ),
  );
});

test("metadata alone is answered for objects and lists, and not one for the other", () => {
  const object = configMap("a", { data: {} });
  const listed = { metadata: { resourceVersion: "7" }, items: [object] };
  const one = { as: "PartialObjectMetadata", version: "v1" } as const;
  const many = { as: "PartialObjectMetadataList", version: "v1" } as const;
  const partial = {
    kind: "PartialObjectMetadata",
    apiVersion: "meta.k8s.io/v1",
    metadata: object.metadata,
  };
  const options = { resource, nowMs: 0 };
  expect(objectAnswer(object, { ...options, format: one })).toEqual(partial);
  expect(listAnswer(listed, { ...options, format: many })).toEqual({
    kind: "PartialObjectMetadataList",
    apiVersion: "meta.k8s.io/v1",
    metadata: { resourceVersion: "7" },
    items: [partial],
  });
  expect(failure(() => listAnswer(listed, { ...options, format: one }))).toMatchObject({
    code: 406,
    message:
      "you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)",
  });
  expect(failure(() => objectAnswer(object, { ...options, format: many }))).toMatchObject({
    code: 406,
    message:
      "you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)",
  });
});

function bad(message: string) {
  return { code: 400, reason: "BadRequest", message };
}

function invalid(text: string, field = "resourceVersionMatch") {
  const message = `Forbidden: ${text}`;
  return {
    code: 422,
    reason: "Invalid",
    message: `ListOptions.meta.k8s.io "" is invalid: ${field}: ${message}`,
    details: {
      group: "meta.k8s.io",
      kind: "ListOptions",
      causes: [{ reason: "FieldValueForbidden", message, field }],
    },
  };
}
