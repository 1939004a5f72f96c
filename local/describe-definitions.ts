// Prints the CustomResourceDefinitions of the resource files named on the command line, as JSON, one
// line a file. A process of its own, so that they can be made anew after each edit.
import { pathToFileURL } from "node:url";
import { describeEach } from "./describe-files.ts";

await describeEach(async (file) => {
  const { crd } = (await import(pathToFileURL(file).href)) as { readonly crd?: () => unknown };
  if (crd === undefined) return { crds: [] };
  const made = crd();
  return { crds: Array.isArray(made) ? made : [made] };
});
