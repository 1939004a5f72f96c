import { posix } from "node:path";
import { builtInManifest } from "./built-in-manifests.ts";
import type { ScaffoldFile } from "./scaffold-files.ts";
import type { ScaffoldKind } from "./scaffold-kinds.ts";
import { camelOf, variableOf } from "./scaffold-names.ts";
import { text } from "./scaffold-text.ts";

/** A controller to be made. */
export interface ControllerTemplate {
  /** Of the controller, its folder and its function. */
  readonly name: string;
  readonly for: ScaffoldKind;
}

/** The files of a controller for a kind that there is. */
export function controllerFiles(template: ControllerTemplate): readonly ScaffoldFile[] {
  const dir = `functions/${template.name}`;
  const manifest = builtInManifest(template.for);
  return [
    { path: `${dir}/controller.ts`, text: controller(template) },
    { path: `${dir}/reconciler.ts`, text: reconciler(template) },
    { path: `${dir}/handler.ts`, text: handlerText(template.name) },
    ...(manifest === undefined ? [] : [{ path: `${dir}/sample.yaml`, text: manifest }]),
    ...(template.for.notEmbedded
      ? []
      : [{ path: `test/${template.name}.test.ts`, text: testText(template, manifest) }]),
  ];
}

/** The function's entry. */
export function handlerText(name: string): string {
  const prefix = camelOf(name);
  return text`
    import { reconcileHandler } from "tidegate";
    import { ${prefix}Controller } from "./controller.ts";
    import { ${prefix}Reconciler } from "./reconciler.ts";

    export const handler = reconcileHandler(${prefix}Controller, ${prefix}Reconciler);
  `;
}

function controller({ name, for: { exported, file } }: ControllerTemplate): string {
  const from = posix.relative(`functions/${name}`, file ?? "");
  const imports =
    file === undefined
      ? `import { ${exported}, defineController } from "tidegate";`
      : `import { defineController } from "tidegate";\nimport { ${exported} } from "${from}";`;
  return text`
    ${imports}

    /** What is watched. Data only: the watcher loads it without the code that runs. */
    export const ${camelOf(name)}Controller = defineController({
      name: "${name}",
      for: ${exported},
    });
  `;
}

function reconciler({ name, for: { exported, kind, scope } }: ControllerTemplate): string {
  const prefix = camelOf(name);
  const variable = variableOf(exported);
  const namespace = scope === "Cluster" ? "" : `namespace: ${variable}.metadata.namespace, `;
  return text`
    import type { Reconciler } from "tidegate";
    import type { ${prefix}Controller } from "./controller.ts";

    /**
     * Runs when a ${kind} changes, with the ${kind} as it is now; it may run at any time, for any
     * reason. What it writes stands in the controller: the kinds of \`owns\` and \`uses\`.
     */
    export const ${prefix}Reconciler: Reconciler<typeof ${prefix}Controller> = {
      async reconcile(${variable}, { log }) {
        log.info("seen", { ${namespace}name: ${variable}.metadata.name });
      },
    };
  `;
}

function testText({ name, for: kind }: ControllerTemplate, manifest: string | undefined): string {
  const prefix = camelOf(name);
  const fromSample = manifest !== undefined;
  const imports = [
    ...(fromSample ? ['import { readFile } from "node:fs/promises";'] : []),
    'import { afterEach, beforeEach, expect, test } from "@jest/globals";',
  ];
  const object = fromSample
    ? `await readFile(new URL("../functions/${name}/sample.yaml", import.meta.url), "utf8")`
    : `"{ apiVersion: ${kind.apiVersion}, kind: ${kind.kind}, metadata: { name: hello } }"`;
  return text`
    ${imports.join("\n")}
    import { type Environment, startEnvironment } from "tidegate/testing";
    import { ${prefix}Controller } from "../functions/${name}/controller.ts";
    import { ${prefix}Reconciler } from "../functions/${name}/reconciler.ts";

    let env: Environment;

    beforeEach(async () => {
      env = await startEnvironment({ controllers: [[${prefix}Controller, ${prefix}Reconciler]] });
    });
    afterEach(() => env.stop());

    test("it runs for a ${kind.kind}", async () => {
      const object = ${object};
      await env.apply(object);
      await env.settled();
      expect(env.record(${prefix}Controller, "hello")).toMatchObject({ outcome: "success" });
    });
  `;
}
