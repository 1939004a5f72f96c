import { dump } from "js-yaml";
import type { CustomResourceDefinition } from "./custom-resource-definition.ts";

/** The definition as YAML: the same text for the same definition, for files that are checked in. */
export function crdYaml(crd: CustomResourceDefinition): string {
  return dump(crd, { noRefs: true, lineWidth: 100 });
}
