import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, type AppProps, Stack } from "aws-cdk-lib";
import type { Template } from "aws-cdk-lib/assertions";
import { ReconcilerPlatform, type ReconcilerPlatformProps } from "../../cdk/reconciler-platform.ts";
import { type Controller, defineController } from "../../shared/api/controller.ts";
import { ConfigMap } from "../../shared/api/kinds.ts";
import { CLUSTER } from "./eks-clusters.ts";

export const ROOT = join(import.meta.dirname, "../..");

/** What this test file synthesizes goes here; the CDK bundles each entry once for it. */
export const OUT = mkdtempSync(join(tmpdir(), "tidegate-cdk-"));

/** A handler like any other, for controllers that are never run. */
export const ENTRY = join(ROOT, "functions/config-digest/handler.ts");

export function controllerNamed(name: string, options: object = {}): Controller {
  return defineController({ ...options, name, for: ConfigMap });
}

export interface Made {
  readonly app: App;
  readonly stack: Stack;
  readonly platform: ReconcilerPlatform;
}

/** A platform in a stack of its own. */
export function madePlatform(
  props: Partial<ReconcilerPlatformProps> = {},
  options: AppProps = {},
): Made {
  const app = new App({ outdir: OUT, ...options });
  const stack = new Stack(app, "Test");
  const platform = new ReconcilerPlatform(stack, "Platform", { cluster: CLUSTER, ...props });
  return { app, stack, platform };
}

export type Properties = Readonly<Record<string, unknown>>;

/** The properties of all resources of a type whose logical ids hold a word. */
export function propertiesOf(template: Template, type: string, word = ""): readonly Properties[] {
  return Object.entries(template.findResources(type))
    .filter(([id]) => id.includes(word))
    .map(([, { Properties = {} }]) => Properties as Properties);
}

/** The properties of the one resource of a type whose logical id holds a word. */
export function theOne(template: Template, type: string, word: string): Properties {
  const [found, ...more] = propertiesOf(template, type, word);
  if (!found || more.length > 0) throw new Error(`cannot tell ${type} ${word}: got ${more.length}`);
  return found;
}
