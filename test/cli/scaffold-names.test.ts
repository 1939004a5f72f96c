import { expect, test } from "@jest/globals";
import { camelOf, kebabOf, pascalOf, pluralOf, variableOf } from "../../cli/scaffold-names.ts";

test.each([
  ["Guestbook", "guestbook", "guestbook"],
  ["FunctionBuild", "function-build", "functionBuild"],
  ["HTTPRoute", "http-route", "httpRoute"],
  ["DNS", "dns", "dns"],
  ["Route53Zone", "route53-zone", "route53Zone"],
  ["S3Bucket", "s3-bucket", "s3Bucket"],
  ["A", "a", "a"],
  ["MyV2API", "my-v2-api", "myV2Api"],
])("%s is the folder %s and the variable %s", (kind, folder, variable) => {
  expect([kebabOf(kind), camelOf(folder)]).toEqual([folder, variable]);
});

test("a project's name makes the name of its stack", () => {
  expect(["guestbook-operator", "a1", "op"].map(pascalOf)).toEqual([
    "GuestbookOperator",
    "A1",
    "Op",
  ]);
});

test.each([
  ["FunctionBuild", "functionbuilds"],
  ["HelloWorld", "helloworlds"],
  ["Policy", "policies"],
  ["Gateway", "gateways"],
  ["Status", "statuses"],
  ["Data", "data"],
  ["Ingress", "ingresses"],
  ["Index", "indexes"],
  ["Batch", "batches"],
  ["Analysis", "analyses"],
  ["Endpoints", "endpoints"],
])("the plural of %s is %s", (kind, plural) => {
  expect(pluralOf(kind)).toBe(plural);
});

test("an object of a kind has a variable that the language and the generated files leave free", () => {
  expect(["Guestbook", "Class", "Function", "Test", "Message"].map(variableOf)).toEqual([
    "guestbook",
    "classObject",
    "functionObject",
    "testObject",
    "messageObject",
  ]);
});
