import type { ScaffoldFile } from "./scaffold-files.ts";
import { camelOf, variableOf } from "./scaffold-names.ts";
import { text } from "./scaffold-text.ts";
import { type ControllerTemplate, handlerText } from "./templates-controller.ts";

/** The files of a new kind and its controller. */
export function apiFiles(api: ControllerTemplate): readonly ScaffoldFile[] {
  const dir = `functions/${api.name}`;
  return [
    { path: `${dir}/resource.ts`, text: resource(api) },
    { path: `${dir}/controller.ts`, text: controller(api) },
    { path: `${dir}/reconciler.ts`, text: reconciler(api) },
    { path: `${dir}/handler.ts`, text: handlerText(api.name) },
    { path: `${dir}/sample.yaml`, text: sample(api) },
    { path: `test/${api.name}.test.ts`, text: testText(api) },
  ];
}

/** Characters of a name. https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names */
const MAX_NAME = 253;

/** So long may the name of an object be, for what is made of it to have one. */
function longestName(controller: string): string {
  return String(MAX_NAME - `${controller}-`.length);
}

function resource({ name, for: { kind, apiVersion, plural, scope } }: ControllerTemplate): string {
  const most = longestName(name);
  return text`
    import { defineKind, type Resource } from "tidegate";
    import { ageColumn, conditions, defineCrd, readyColumn } from "tidegate/crd";
    import * as z from "zod";

    // Functions, so that a bundler drops them, and zod, from the Lambda function.
    export const spec = () =>
      z.object({
        message: z.string().max(1_000).default("hello").describe("What the ConfigMap says."),
      });
    export const status = () =>
      z.object({
        configMap: z.string().optional().describe("The name of the ConfigMap."),
        conditions: conditions(),
      });

    export interface ${kind}
      extends Resource<"${apiVersion}", "${kind}", typeof spec, typeof status> {}
    export const ${kind} = defineKind<${kind}>({
      apiVersion: "${apiVersion}",
      kind: "${kind}",
      plural: "${plural}",
      scope: "${scope}",
    });
    export const crd = () =>
      defineCrd(${kind}, {
        spec,
        status,
        // Leaves room for what comes before it in the name of the ConfigMap.
        rules: [
          {
            rule: "self.metadata.name.size() <= ${most}",
            message: "metadata.name has at most ${most} characters",
          },
        ],
        printerColumns: [readyColumn, ageColumn],
      });
  `;
}

function controller({ name, for: { kind } }: ControllerTemplate): string {
  return text`
    import { ConfigMap, defineController, generationChanged } from "tidegate";
    import { ${kind} } from "./resource.ts";

    /** What is watched. Data only: the watcher loads it without the code that runs. */
    export const ${camelOf(name)}Controller = defineController({
      name: "${name}",
      for: ${kind},
      predicate: generationChanged, // The spec, and not the status, which the controller writes.
      owns: [ConfigMap], // A change of one, or its end, runs its ${kind} again.
    });
  `;
}

function reconciler({ name, for: { kind, scope } }: ControllerTemplate): string {
  const prefix = camelOf(name);
  const variable = variableOf(kind);
  const child = `name: \`${name}-\${${variable}.metadata.name}\``;
  const metadata = scope === "Cluster" ? `{ ${child}, namespace: "default" }` : `{ ${child} }`;
  return text`
    import { ConfigMap, type Reconciler, type Result, readyCondition } from "tidegate";
    import type { ${prefix}Controller } from "./controller.ts";
    import type { ${kind} } from "./resource.ts";

    /**
     * Brings the cluster to what a ${kind} asks for. It may run at any time, for any reason: to run
     * twice must change nothing.
     */
    export const ${prefix}Reconciler: Reconciler<typeof ${prefix}Controller> = {
      async reconcile(${variable}, { apply }): Promise<Result<${kind}>> {
        // Made, or mended where it differs, and deleted together with its ${kind}.
        const configMap = await apply(ConfigMap, {
          metadata: ${metadata},
          data: { message: ${variable}.spec.message },
        });
        // Written where it differs. A run that throws comes again, and sets Ready to False.
        return {
          status: { configMap: configMap.metadata.name, conditions: [readyCondition(true)] },
        };
      },
    };
  `;
}

function sample({ for: { kind, apiVersion } }: ControllerTemplate): string {
  return text`
    apiVersion: ${apiVersion}
    kind: ${kind}
    metadata:
      name: hello
    spec:
      message: hello, world
  `;
}

function testText({ name, for: { kind } }: ControllerTemplate): string {
  const prefix = camelOf(name);
  return text`
    import { readFile } from "node:fs/promises";
    import { afterEach, beforeEach, expect as jestExpect, test } from "@jest/globals";
    import { ConfigMap } from "tidegate";
    import { type Environment, startEnvironment, withMatchers } from "tidegate/testing";
    import { ${prefix}Controller } from "../functions/${name}/controller.ts";
    import { ${prefix}Reconciler } from "../functions/${name}/reconciler.ts";
    import { crd, ${kind} } from "../functions/${name}/resource.ts";

    const expect = withMatchers(jestExpect);
    const sample = new URL("../functions/${name}/sample.yaml", import.meta.url);
    let env: Environment;

    beforeEach(async () => {
      env = await startEnvironment({
        controllers: [[${prefix}Controller, ${prefix}Reconciler]],
        crds: [crd()],
      });
    });
    afterEach(() => env.stop());

    test("the sample gets a ConfigMap with its message", async () => {
      await env.apply(await readFile(sample, "utf8"));
      await env.settled();
      const owner = await env.get(${kind}, "hello");
      const configMap = await env.get(ConfigMap, "${name}-hello");
      expect(owner).toHaveCondition("Ready", "True");
      expect(configMap).toBeOwnedBy(owner);
      expect(configMap?.data).toEqual({ message: "hello, world" });
    });

    test("a name that leaves the ConfigMap none is refused", async () => {
      const metadata = { name: "a".repeat(${longestName(name)}) };
      await env.apply(${kind}, { metadata, spec: {} });
      await env.settled();
      expect(await env.get(${kind}, metadata.name)).toHaveCondition("Ready", "True");
      const longer = { name: \`a\${metadata.name}\` };
      await expect(env.apply(${kind}, { metadata: longer, spec: {} })).rejects.toThrow("at most");
    });

    test("a ConfigMap that somebody deletes comes back", async () => {
      await env.apply(${kind}, { metadata: { name: "web" }, spec: {} });
      await env.settled();
      await env.delete(ConfigMap, "${name}-web");
      await env.settled();
      expect((await env.get(ConfigMap, "${name}-web"))?.data).toEqual({ message: "hello" });
    });
  `;
}
