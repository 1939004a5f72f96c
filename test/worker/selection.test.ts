import { expect, test } from "@jest/globals";
import { type Controller, defineController } from "../../shared/api/controller.ts";
import type { KubernetesObject } from "../../shared/api/object.ts";
import { matchesLabels, selects } from "../../shared/worker/selection.ts";
import { Site, site } from "../support/worker-host.ts";

const labels = { app: "web", tier: "front" };

test.each([
  ["app=web", true],
  ["app==web", true],
  ["app = web , tier != back", true],
  ["app!=web", false],
  ["app", true],
  ["!app", false],
  ["!other", true],
  ["app in (web, api)", true],
  ["app in (api)", false],
  ["app notin (api)", true],
  ["other notin (api)", true],
  ["other in (api)", false],
  ["tier in (front,back),app=web", true],
  ["app=", false],
  ["", true],
])('the label selector "%s"', (selector, expected) => {
  expect(matchesLabels(selector, labels)).toBe(expected);
});

test("a selector of values asks for each of them", () => {
  expect(matchesLabels({ app: "web", tier: "front" }, labels)).toBe(true);
  expect(matchesLabels({ app: "web", other: "x" }, labels)).toBe(false);
});

test("text that the API server would refuse is refused", () => {
  expect(() => matchesLabels("app in web", labels)).toThrow(
    'cannot evaluate label selector "app in web"',
  );
});

test.each([
  [{ namespaces: ["a", "b"] }, true],
  [{ namespaces: ["b"] }, false],
  [{ fields: { "metadata.name": "x" } }, true],
  [{ fields: "metadata.name!=x" }, false],
  [{ fields: "metadata.namespace=a,metadata.name=x" }, true],
  [{ fields: { "spec.host": "other" } }, true], // The server's to judge.
  [{ labels: { team: "web" } }, false],
])("a controller with %j", (options, expected) => {
  const controller = defineController({ name: "site", for: Site, ...options });
  const object = site() as unknown as KubernetesObject;
  expect(selects(controller as unknown as Controller, object)).toBe(expected);
});
