import { expect, test } from "@jest/globals";
import { matchesFields, parseFieldSelector } from "../../local/kube/field-selectors.ts";
import { matchesLabels, parseLabelSelector } from "../../local/kube/selectors.ts";
import type { ServedResource } from "../../local/kube/served-resource.ts";
import { configMap, resourceOf, widgets } from "./kube-store-fixtures.ts";

const labels = { app: "web", tier: "front", count: "7", "example.com/x": "" };

test.each([
  ["app=web", true],
  ["app==web", true],
  ["app=other", false],
  ["absent=web", false],
  ["app!=web", false],
  ["absent!=web", true],
  ["app in (web,db),tier", true],
  ["app in (db)", false],
  ["app notin (db, web)", false],
  ["absent notin (db)", true],
  ["app,!absent", true],
  ["!app", false],
  [" app = web , tier notin () ", true],
  ["example.com/x=", true],
  ["example.com/x in (,a)", true],
  ["in in (in,notin)", false],
  ["count>6", true],
  ["count<7", false],
  ["app>6", false],
  ["absent<7", false],
  ["", true],
])("label selector %j", (text, expected) => {
  expect(matchesLabels(parseLabelSelector(text), labels)).toBe(expected);
});

const VALUE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const KEY =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const PREFIX =
  "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

// What kube-apiserver 1.37.2 answers to these.
test.each([
  ["a===", "unable to parse requirement: found '=', expected: identifier"],
  ["a in", "unable to parse requirement: found '' expected: '('"],
  ["!a=b", "found '=', expected: ',' or 'end of string'"],
  ["a_/b", `unable to parse requirement: <nil>: Invalid value: "a_/b": ${PREFIX}`],
  ["a=-x", `unable to parse requirement: values[0][a]: Invalid value: "-x": ${VALUE}`],
  ["a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  [",", "found ',', expected: !, identifier, or 'end of string'"],
  ["a,", "found '', expected: identifier after ','"],
  ["a&b", `unable to parse requirement: <nil>: Invalid value: "a&b": name part ${KEY}`],
  [
    "a/b/c",
    `unable to parse requirement: <nil>: Invalid value: "a/b/c": a valid label key ${KEY} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
  ],
  [
    "a>x",
    `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
  ],
  [
    "a in (-b,-c)",
    `unable to parse requirement: [values[0][a]: Invalid value: "-b": ${VALUE}, values[1][a]: Invalid value: "-c": ${VALUE}]`,
  ],
])("label selector %j is refused with the API server's words", (text, message) => {
  expect(() => parseLabelSelector(text)).toThrow(new Error(message));
});

const pods = resourceOf({ plural: "pods", kind: "Pod" });
const pod = configMap("p", {
  spec: { nodeName: "n1" },
  status: { phase: "Running", podIPs: [{ ip: "10.0.0.1" }] },
});
const events = resourceOf({ plural: "events", kind: "Event" });
const newEvents = resourceOf({
  group: "events.k8s.io",
  plural: "events",
  kind: "Event",
  storage: { group: "", plural: "events", version: "v1" },
});
const event = configMap("e", {
  involvedObject: { kind: "Pod", name: "p" },
  reason: "Failed",
  reportingComponent: "kubelet",
});

test.each<[string, ServedResource, ReturnType<typeof configMap>, boolean]>([
  ["metadata.name=p", pods, pod, true],
  ["metadata.name!=p", pods, pod, false],
  ["metadata.namespace==default,metadata.name=p", pods, pod, true],
  ["spec.nodeName=n1,status.phase!=Pending", pods, pod, true],
  ["spec.nodeName=", pods, pod, false],
  ["spec.hostNetwork=false,status.podIP=10.0.0.1,spec.host=n1", pods, pod, true],
  ["metadata.name=a\\,b", pods, configMap("a,b"), true],
  ["", pods, pod, true],
  ["involvedObject.name=p,involvedObject.kind=Pod,source=kubelet,type=", events, event, true],
  ["regarding.name=p,reportingController=kubelet", newEvents, event, true],
  ["type=Opaque", resourceOf({ plural: "secrets" }), configMap("s", { type: "Opaque" }), true],
  ["spec.unschedulable=false", resourceOf({ plural: "nodes", namespaced: false }), pod, true],
  ["status.successful=0", resourceOf({ group: "batch", plural: "jobs", kind: "Job" }), pod, true],
  ["spec.color=red", widgets, configMap("w", { spec: { color: "red" } }), true],
  ["spec.color!=red", widgets, configMap("w"), true],
])("field selector %j", (text, resource, object, expected) => {
  expect(matchesFields(parseFieldSelector(text, resource), resource, object)).toBe(expected);
});

test.each<[string, ServedResource, string]>([
  ["foo", pods, "invalid selector: 'foo'; can't understand 'foo'"],
  ["metadata.name=\\x", pods, "invalid field selector: invalid escape sequence: \\x"],
  ["metadata.name=a=b", pods, "invalid field selector: unescaped character in value: 61"],
  ["foo=a", pods, "field label not supported: foo"],
  ["regarding.name=a", events, "field label not supported: regarding.name"],
  ["involvedObject.name=a", newEvents, "field label not supported: involvedObject.name"],
  ["spec.size=1", widgets, "field label not supported: spec.size"],
  [
    "metadata.namespace=a",
    resourceOf({ plural: "nodes", namespaced: false }),
    "field label not supported: metadata.namespace",
  ],
  [
    "foo=bar",
    resourceOf(),
    '"foo" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ],
  [
    "foo=bar",
    resourceOf({ group: "batch", plural: "jobs", kind: "Job" }),
    'field label "foo" not supported for Job',
  ],
])("field selector %j is refused with the API server's words", (text, resource, message) => {
  expect(() => parseFieldSelector(text, resource)).toThrow(new Error(message));
});
