import type { Api } from "./harness/api.ts";
import { object, text, tryDefinition } from "./harness/rules.ts";
import { scenario } from "./harness/scenario.ts";

const COUNT = { type: "integer" };
const LIST = { type: "array", maxItems: 4, items: text() };

/** A definition whose spec has those rules, and fields to speak of. */
function tryRules(api: Api, ...rules: readonly (string | object)[]) {
  const properties = {
    name: text(),
    count: COUNT,
    list: LIST,
    at: { type: "string", format: "date-time" },
  };
  const written = rules.map((rule) => (typeof rule === "string" ? { rule } : rule));
  return tryDefinition(api, object(properties, { "x-kubernetes-validations": written }));
}

/** Refused for what the types are. */
const FAULTY: readonly string[] = [
  "self.nosuch == 1",
  "has(self.nosuch)",
  "nosuch",
  "nosuch(self.count)",
  "self.count.nosuch() == 1",
  "self.count == 'x'",
  "self.count + 1.5 == 2.0",
  "self.name && true",
  "self.count ? true : false",
  "self.count",
  "self.name",
  "!self.count",
  "-self.name == 'x'",
  "self.name.size() > 'a'",
  "self.list.all(x, x)",
  "self.list.exists_one(x, x)",
  "self.list.filter(x, x).size() == 1",
  "self.list.map(x, x, x).size() == 1",
  "self.count.all(x, true)",
  "self.list.all(1, true)",
  "self.list.sum() == 1",
  "self.count in ['a']",
  "self.list['a'] == 'a'",
  "self.name[0] == 'a'",
  "self.count.x == 1",
  "self.name.matches('(') || self.name.matches('a')",
  "duration('x') == duration('1s') && timestamp('y') == timestamp(0)",
  "[1, 'a'].size() == 2 && {'a': 1, 'b': 'c'}.size() == 2",
  "[dyn(1), 2].size() == 2",
  "has(self)",
  "self.at == '2024-01-01T00:00:00Z'",
  "self.?name == 'x'",
  "self.?name.orValue(1) == 'x'",
  "optional.of(1).optMap(x, x + 'a').hasValue()",
  "self.name.substring('a') == self.name.nosuch(1, 'b')",
  "self.metadata.name == 'a'",
  "quantity(self.count).isInteger()",
  "ip(self.name) == cidr(self.name)",
  "{1: 2}['a'] == 2",
  "{self: 1}.size() == 1",
  "self.name == null || self.at == null",
  "cel.bind(x, 1, x == 1)",
  "self.list == [1]",
  "type(self.count) == self.count",
  "'ä' == self.count",
];

/** What is no expression at all: the text of the fault is the parser's own. */
const UNREADABLE: readonly string[] = [
  "self.name ==",
  "self.",
  "(self.count == 1",
  "self.in == 1",
  "1 +",
  "self.count = 1",
  "'abc",
  '"\\q" == self.name',
  "99999999999999999999 == self.count",
  "while == 1",
];

export const scenarios = [
  scenario("expressions with faults", async (api) => {
    for (const rule of FAULTY) await tryRules(api, rule);
  }),
  scenario("expressions that cannot be read", async (api) => {
    for (const rule of UNREADABLE) await tryRules(api, rule);
  }),
  scenario("several faults, lines and tabs", async (api) => {
    await tryRules(api, { rule: "self.a == 1 &&\n\tself.b == 2", message: "m" });
    await tryRules(api, "self.count == 1", "self.x == 1", "self.y == 1");
    await tryRules(api, "self.list.all(x, x == 1 && x.y == self.z)");
  }),
  scenario("what else a rule says", async (api) => {
    await tryRules(api, { rule: "" });
    await tryRules(api, { rule: " " });
    await tryRules(api, {});
    await tryRules(api, { rule: "true", message: " " });
    await tryRules(api, { rule: "true", message: "a\nb" });
    await tryRules(api, { rule: "true &&\ntrue" });
    await tryRules(api, { rule: "true", messageExpression: " " });
    await tryRules(api, { rule: "true", messageExpression: "self.nosuch" });
    await tryRules(api, { rule: "true", messageExpression: "self.count" });
    await tryRules(api, { rule: "self.nosuch", messageExpression: "self.count" });
    await tryRules(api, { rule: "true", reason: "Other" });
    await tryRules(api, { rule: "true", fieldPath: " " });
    await tryRules(api, { rule: "true", fieldPath: "name" });
    await tryRules(api, { rule: "true", fieldPath: ".nosuch" });
    await tryRules(api, { rule: "true", fieldPath: ".list[0]" });
    await tryRules(api, { rule: "true", fieldPath: ".name\n" });
    await tryRules(api, { rule: "true", optionalOldSelf: true });
    await tryRules(api, { rule: "true", optionalOldSelf: false });
    await tryRules(api, { rule: "oldSelf.name == 'a'", optionalOldSelf: true });
    await tryRules(api, {
      rule: "!oldSelf.hasValue() || oldSelf.value().count == 1",
      optionalOldSelf: true,
    });
  }),
  scenario("where old values can be found", async (api) => {
    const item = object(
      { name: text() },
      { required: ["name"], "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
    );
    const list = { type: "array", maxItems: 4, items: item };
    await tryDefinition(api, object({ list }));
    await tryDefinition(api, object({ list: { ...list, "x-kubernetes-list-type": "atomic" } }));
    const keyed = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] };
    await tryDefinition(api, object({ list: { ...list, ...keyed } }));
    const set = { ...LIST, items: text("self == oldSelf"), "x-kubernetes-list-type": "set" };
    await tryDefinition(api, object({ set }));
    const map = { type: "object", maxProperties: 4, additionalProperties: text("self == oldSelf") };
    await tryDefinition(api, object({ map }));
    await tryDefinition(api, object({ map: { ...map, "x-kubernetes-map-type": "atomic" } }));
    const nested = { type: "array", maxItems: 2, items: { ...list, ...keyed } };
    await tryDefinition(api, object({ nested }));
  }),
  scenario("what rules can see", async (api) => {
    const on = (of: object, rule: string) =>
      tryDefinition(api, object({ a: { ...of, "x-kubernetes-validations": [{ rule }] } }));
    await on(
      { "x-kubernetes-int-or-string": true },
      "self == 1 || self == 'a' || self.size() == 1",
    );
    await on({ type: "object", "x-kubernetes-preserve-unknown-fields": true }, "has(self.a)");
    await on({ "x-kubernetes-preserve-unknown-fields": true }, "true");
    const any = { "x-kubernetes-preserve-unknown-fields": true };
    await on(object({ any: { type: "object", additionalProperties: any } }), "has(self.any)");
    await on(object({ free: { "x-kubernetes-preserve-unknown-fields": true } }), "has(self.free)");
    await on(
      {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
      },
      "self.kind == 'a' && self.metadata.name == 'b'",
    );
    await on(
      {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
      },
      "self.metadata.labels.size() == 0",
    );
    await on(
      { type: "object", maxProperties: 2, additionalProperties: text() },
      "self.all(k, self[k] == k) && self.a == 'b'",
    );
    await on({ type: "string", format: "byte" }, "self == b'a' && size(self) < 2");
    await on({ type: "string", format: "duration" }, "self < duration('1s')");
    await on({ type: "string", format: "date" }, "self.getFullYear() > 2000");
    await on({ type: "string", format: "email" }, "self.size() < 2");
    await on({ type: "number" }, "self < 1.5 && self > 1");
    await on({ type: "number" }, "self == 1");
    await on(
      object({
        namespace: text(),
        "a-b": text(),
        "a.b/c": text(),
        a__b: text(),
        "a b": text(),
        "0a": text(),
        in: text(),
      }),
      "has(self.__namespace__) && has(self.a__dash__b) && has(self.a__dot__b__slash__c) && has(self.a__underscores__b) && has(self.__in__)",
    );
    await on(object({ "a b": text() }), "has(self.a__b)");
    await on(object({ namespace: text() }), "self.namespace == 'a'");
    await on({ type: "string", nullable: true, maxLength: 5 }, "self == null");
    await on(
      object({ n: { type: "string", nullable: true, maxLength: 5 } }),
      "self.n == null || has(self.n)",
    );
    await tryDefinition(api, object({}), {
      "x-kubernetes-validations": [
        {
          rule: "self.metadata.name == 'a' && self.kind == 'b' && self.metadata.generateName != 'c' && self.apiVersion != 'd'",
        },
      ],
    });
    await tryDefinition(api, object({}), {
      "x-kubernetes-validations": [{ rule: "has(self.metadata.labels)" }],
    });
  }),
  scenario("rules in allOf and the like", async (api) => {
    const rules = { "x-kubernetes-validations": [{ rule: "self == 'a'" }] };
    const nested = { "x-kubernetes-validations": [{ rule: "self.nosuch" }] };
    await tryDefinition(api, object({ a: { ...text(), allOf: [rules] } }));
    await tryDefinition(api, object({ a: { ...text(), anyOf: [rules] } }));
    await tryDefinition(api, object({ a: { ...text(), not: rules } }));
    await tryDefinition(api, object({ a: { ...text(), allOf: [nested] } }));
  }),
  scenario("faults of the schema come first", async (api) => {
    await tryDefinition(api, object({ a: { type: "text" }, b: text("self.nosuch") }));
    await tryDefinition(api, object({ a: text("self.nosuch"), b: text(" ") }));
    await tryDefinition(api, object({ a: { ...text("self.nosuch"), default: 5 } }));
  }),
];
