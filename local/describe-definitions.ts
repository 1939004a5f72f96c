// Prints the CustomResourceDefinitions of the resource files named on the command line, as JSON, one
// line a file. A process of its own, so that they can be made anew after each edit.
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import type { CustomResourceDefinition } from "../shared/crd/custom-resource-definition.ts";
import { describeEach } from "./describe-files.ts";

await describeEach(async (file) => {
  const { crd } = (await import(pathToFileURL(file).href)) as { readonly crd?: () => unknown };
  if (crd === undefined) return { crds: [] };
  const made = typeof crd === "function" ? crd() : crd;
  const crds: readonly unknown[] = Array.isArray(made) ? made : [made];
  const odd = crds.findIndex((each) => !definition(each));
  if (typeof crd === "function" && odd < 0) return { crds };
  const got = inspect(typeof crd === "function" ? crds[odd] : crd, { depth: 0 });
  throw new Error(
    `expected crd() to answer a CustomResourceDefinition, or a list of them, got ${got}; use defineCrd of tidegate/crd`,
  );
});

function definition(value: unknown): boolean {
  const { kind, metadata, spec } = (value ?? {}) as Partial<CustomResourceDefinition>;
  const named = typeof metadata?.name === "string" && typeof spec?.group === "string";
  return kind === "CustomResourceDefinition" && named;
}
