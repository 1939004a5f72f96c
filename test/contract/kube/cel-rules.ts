import type { Api } from "./harness/api.ts";
import { WIDGETS, widget } from "./harness/objects.ts";
import { defineRuled, object, text, tryWidget } from "./harness/rules.ts";
import { scenario } from "./harness/scenario.ts";

const A = `${WIDGETS}/a`;
const COUNT = { type: "integer" };
const rules = (...all: readonly (string | object)[]) => ({
  "x-kubernetes-validations": all.map((rule) => (typeof rule === "string" ? { rule } : rule)),
});

const create = (api: Api, spec: object) => api.quiet.post(WIDGETS, widget("a", { spec }));
const merge = (api: Api, spec: object) => api.merge(A, { spec });

/** Resolves once a new object with that spec is refused: a changed definition takes its moment. */
async function refused({ quiet }: Api, spec: object): Promise<void> {
  for (let tries = 0; tries < 5_000; tries += 1) {
    const made = quiet.post(`${WIDGETS}?dryRun=All`, widget("new", { spec }));
    if (await made.then(() => false).catch(() => true)) return;
  }
  throw new Error("waiting for new rules: expected an object to be refused, got none");
}

export const scenarios = [
  scenario("a rule on every way to write", async (api) => {
    await defineRuled(
      api,
      object({ min: COUNT, max: { ...COUNT, default: 5 } }, rules("self.min <= self.max")),
    );
    await api.post(WIDGETS, widget("a", { spec: { min: 7 } }));
    await api.post(WIDGETS, widget("a", { spec: { min: 3 } }));
    await merge(api, { min: 9 });
    await api.json(A, [{ op: "replace", path: "/spec/max", value: 1 }]);
    await api.apply(`${A}?fieldManager=m&force=true`, widget("a", { spec: { min: 6 } }));
    await api.apply(`${WIDGETS}/b?fieldManager=m`, widget("b", { spec: { min: 6 } }));
    const { version } = await api.quiet.get(A);
    await api.put(A, widget("a", { spec: { min: 6 } }, { resourceVersion: version }));
    await api.merge(A, { spec: { min: null } });
  }),
  scenario("messages, reasons and paths", async (api) => {
    const on = (more: object) => ({ rule: "self.a > 5", ...more });
    const properties = (name: string, more: object) => ({
      [name]: object(
        { a: COUNT, "b-c": COUNT, m: { type: "object", additionalProperties: COUNT }, t: text() },
        rules(on(more)),
      ),
    });
    await defineRuled(
      api,
      object({
        ...properties("plain", {}),
        ...properties("message", { message: " too small " }),
        ...properties("expression", { messageExpression: "'small: ' + self.t" }),
        ...properties("both", { message: "m", messageExpression: "self.t" }),
        ...properties("failing", {
          message: "m",
          messageExpression: "1 / (self.a - 1) == 1 ? 'a' : 'b'",
        }),
        ...properties("empty", { messageExpression: "' '" }),
        ...properties("lines", { message: "m", messageExpression: "'a\\nb'" }),
        ...properties("forbidden", { reason: "FieldValueForbidden" }),
        ...properties("required", { reason: "FieldValueRequired" }),
        ...properties("duplicate", { reason: "FieldValueDuplicate" }),
        ...properties("invalid", { reason: "FieldValueInvalid" }),
        ...properties("path", { fieldPath: ".a" }),
        ...properties("quoted", { fieldPath: "['b-c']" }),
        ...properties("entry", { fieldPath: ".m['x']" }),
        count: { ...COUNT, ...rules({ rule: "self > 5", reason: "FieldValueDuplicate" }) },
        number: { type: "number", ...rules("self > 5.0") },
        flag: { type: "boolean", ...rules("self") },
        list: { type: "array", maxItems: 3, items: COUNT, ...rules("self.size() > 1") },
        multi: { ...COUNT, ...rules({ rule: "self >\n5", message: "of two lines" }, "self > 2 ") },
      }),
    );
    const names = [
      "plain",
      "message",
      "expression",
      "both",
      "failing",
      "empty",
      "lines",
      "forbidden",
      "required",
      "duplicate",
      "invalid",
      "path",
      "quoted",
      "entry",
    ];
    for (const name of names) await tryWidget(api, { [name]: { a: 1, t: "one" } });
    await tryWidget(api, { count: 1 });
    await tryWidget(api, { number: 1 });
    await tryWidget(api, { number: 1.5 });
    await tryWidget(api, { flag: false });
    await tryWidget(api, { list: [1] });
    await tryWidget(api, { multi: 1 });
    await tryWidget(api, { plain: {} });
  }),
  scenario("rules below: fields, items, entries, whole objects", async (api) => {
    await defineRuled(
      api,
      object({
        items: { type: "array", maxItems: 4, items: text("self != 'bad'") },
        map: { type: "object", maxProperties: 4, additionalProperties: text("self != 'bad'") },
        deep: object({ a: object({ b: text("self != 'bad'") }) }),
        tags: {
          type: "array",
          maxItems: 3,
          items: text(),
          ...rules("self.join('-') != 'a-b' && self.join() != 'ab'"),
        },
      }),
      {
        ...rules("self.metadata.name != 'bad'", "!has(self.status) || self.status.phase != 'bad'"),
        properties: { status: object({ phase: text("self != 'worse'") }) },
      },
    );
    await tryWidget(api, { items: ["a", "bad"] });
    await tryWidget(api, { map: { a: "b", "x.y": "bad" } });
    await tryWidget(api, { deep: { a: { b: "bad" } } });
    await tryWidget(api, { tags: ["a", "b"] });
    await api.post(WIDGETS, widget("bad"));
    await create(api, {});
    await api.merge(`${A}/status`, { status: { phase: "bad" } });
    await api.merge(`${A}/status`, { status: { phase: "worse" } });
    await api.merge(`${A}/status`, { status: { phase: "good" } });
  }),
  scenario("faults of the schema come first", async (api) => {
    await defineRuled(
      api,
      object({
        a: text("self == 'a'"),
        count: { ...COUNT, maximum: 5 },
        need: object({ x: COUNT }, { required: ["x"] }),
        list: { type: "array", maxItems: 1, items: COUNT },
      }),
    );
    await tryWidget(api, { a: "b", count: "x" });
    await tryWidget(api, { a: "b", count: 9 });
    await tryWidget(api, { a: "b", need: {} });
    await tryWidget(api, { a: "b", list: [1, 2] });
    await tryWidget(api, { a: "x".repeat(65) });
    await tryWidget(api, { a: 5 });
  }),
  scenario("what is there and what is not", async (api) => {
    await defineRuled(
      api,
      object({
        a: object(
          { x: text(), n: { ...text(), nullable: true }, d: { ...COUNT, default: 3 } },
          rules("has(self.x) ? self.x == 'x' : self.d == 3", "!has(self.n) || self.n == 'n'"),
        ),
        b: object({ x: text() }, rules("self.x == 'x'")),
        c: object({ x: text() }, rules("self.?x.orValue('y') == 'y'")),
        f: object({ n: { ...text(), nullable: true } }, rules("self.?n.orValue('none') == 'none'")),
        e: { ...object({ x: text() }), nullable: true, ...rules("self.x == 'x'") },
        port: {
          "x-kubernetes-int-or-string": true,
          ...rules("type(self) == int ? self > 5 : self.endsWith('%')"),
        },
        loose: { "x-kubernetes-int-or-string": true, ...rules("self > 5") },
        at: {
          type: "string",
          format: "date-time",
          ...rules("self > timestamp('2024-01-01T00:00:00Z')"),
        },
        day: { type: "string", format: "date", ...rules("self.getDate() == 2") },
        wait: { type: "string", format: "duration", ...rules("self >= duration('1m')") },
        raw: { type: "string", format: "byte", ...rules("self == b'abc'") },
        big: { ...COUNT, format: "int64", ...rules("self < 9007199254740992") },
        number: { type: "number", ...rules("self >= 1.0 && type(self) == double") },
        keys: object(
          { namespace: text(), "a-b": text() },
          rules("self.__namespace__ == self.a__dash__b", "self.namespace != 'c'"),
        ),
        set: {
          type: "array",
          maxItems: 4,
          items: text(),
          "x-kubernetes-list-type": "set",
          ...rules("self == ['b', 'a'] && (self + ['a', 'c']).size() == 3"),
        },
        keyed: {
          type: "array",
          maxItems: 4,
          items: object({ k: text(), v: COUNT }, { required: ["k"] }),
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["k"],
          ...rules("(self + self).size() == self.size()"),
        },
      }),
    );
    const specs = [
      { a: {} },
      { a: { x: "x" } },
      { a: { x: "z" } },
      { a: { n: null } },
      { a: { n: "m" } },
      { b: {} },
      { c: {} },
      { c: { x: "z" } },
      { e: null },
      { e: {} },
      { f: { n: null } },
      { f: { n: "x" } },
      { port: 6 },
      { port: 5 },
      { port: "5%" },
      { port: "5" },
      { loose: 6 },
      { loose: "6" },
      { at: "2024-06-01T00:00:00Z" },
      { at: "2023-06-01T00:00:00+02:00" },
      { day: "2024-01-02" },
      { day: "2024-01-03" },
      { wait: "90s" },
      { wait: "59s" },
      { raw: "YWJj" },
      { raw: "YWJk" },
      { big: 9007199254740991 },
      { number: 1 },
      { number: 0.5 },
      { keys: { namespace: "a", "a-b": "a" } },
      { keys: { namespace: "a", "a-b": "b" } },
      { keys: { namespace: "c", "a-b": "c" } },
      { set: ["a", "b"] },
      { set: ["a", "c"] },
      { keyed: [{ k: "a", v: 1 }, { k: "b" }] },
    ];
    for (const spec of specs) await tryWidget(api, spec);
  }),
  scenario("rules on changes", async (api) => {
    const keyed = {
      type: "array",
      maxItems: 4,
      items: object(
        { k: text(), v: { ...COUNT, ...rules("self >= oldSelf") } },
        { required: ["k"] },
      ),
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
    };
    await defineRuled(
      api,
      object({
        fixed: text({ rule: "self == oldSelf", message: "fixed is immutable" }),
        map: { type: "object", maxProperties: 4, additionalProperties: text("self == oldSelf") },
        keyed,
        once: text({
          rule: "!oldSelf.hasValue() || self == oldSelf.value()",
          optionalOldSelf: true,
          message: "once is set once",
        }),
        made: text({ rule: "oldSelf.hasValue() || self == 'first'", optionalOldSelf: true }),
        all: object({ x: text() }, rules("!has(oldSelf.x) || has(self.x)")),
      }),
    );
    await tryWidget(api, { made: "second" });
    await api.post(
      WIDGETS,
      widget("a", {
        spec: {
          fixed: "a",
          map: { x: "1" },
          keyed: [
            { k: "a", v: 2 },
            { k: "b", v: 5 },
          ],
          made: "first",
          all: { x: "y" },
        },
      }),
    );
    await merge(api, { fixed: "b" });
    await merge(api, { map: { x: "2" } });
    await merge(api, { map: { y: "2" } });
    await merge(api, {
      keyed: [
        { k: "b", v: 4 },
        { k: "a", v: 3 },
      ],
    });
    await merge(api, {
      keyed: [
        { k: "b", v: 6 },
        { k: "c", v: 1 },
      ],
    });
    await merge(api, { once: "a" });
    await merge(api, { once: "b" });
    await merge(api, { made: "other" });
    await merge(api, { all: { x: null } });
    await merge(api, { fixed: null });
    await merge(api, { fixed: "c" });
  }),
  scenario("a rule on changes holds for what did not change, too", async (api) => {
    await defineRuled(api, object({ grows: { ...COUNT, ...rules("self > oldSelf") }, a: text() }));
    await create(api, { grows: 1 });
    await merge(api, { a: "x" });
    await merge(api, { a: "x", grows: 2 });
  }),
  scenario("what did not change is forgiven", async (api) => {
    const list = { type: "array", maxItems: 4, items: text("self != 'bad'") };
    const keyed = {
      type: "array",
      maxItems: 4,
      items: object({ k: text(), v: text("self != 'bad'") }, { required: ["k"] }),
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
    };
    const properties = {
      a: text(),
      b: text(),
      list: { ...list, items: text() },
      keyed: { ...keyed, items: object({ k: text(), v: text() }, { required: ["k"] }) },
      group: object({ x: text(), y: text() }),
    };
    await defineRuled(api, object(properties));
    const made = {
      a: { a: "bad" },
      list: { list: ["bad", "ok"] },
      keyed: {
        keyed: [
          { k: "a", v: "bad" },
          { k: "b", v: "ok" },
        ],
      },
      group: { group: { x: "bad" } },
    };
    for (const [name, spec] of Object.entries(made)) {
      await api.quiet.post(WIDGETS, widget(name, { spec }));
    }
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.{ns}.example.com";
    const strict = {
      ...properties,
      a: text({ rule: "self != 'bad'", message: "a is bad" }),
      list,
      keyed,
      group: object(
        { x: text("self != 'bad'"), y: text() },
        rules("!has(self.y) || self.x == self.y"),
      ),
    };
    await api.quiet.json(path, [
      {
        op: "replace",
        path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec",
        value: object(strict),
      },
    ]);
    await refused(api, { a: "bad" });
    const change = (name: string, spec: object) => api.merge(`${WIDGETS}/${name}`, { spec });
    await change("a", { b: "1" });
    await change("a", { a: "ok" });
    await change("a", { a: "bad" });
    await change("list", { b: "1" });
    await change("list", { list: ["bad", "more"] });
    await change("keyed", {
      keyed: [
        { k: "b", v: "fine" },
        { k: "a", v: "bad" },
      ],
    });
    await change("keyed", { keyed: [{ k: "c", v: "bad" }] });
    await change("group", { group: { y: "bad" } });
    await change("group", { group: { y: "other" } });
  }),
  scenario("what is costly", async (api) => {
    await defineRuled(
      api,
      object({
        list: {
          type: "array",
          maxItems: 100,
          items: COUNT,
          ...rules("self.all(x, self.all(y, x < 9 || y < 9 || x + y > 1))"),
        },
      }),
    );
    await tryWidget(api, { list: Array.from({ length: 50 }, (_, index) => index) });
  }),
];
