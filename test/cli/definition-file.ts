import type { CustomResourceDefinition } from "../../shared/crd/custom-resource-definition.ts";

export interface DefinitionParts {
  /** In PascalCase; the plural is that with an "s". */
  readonly kind: string;
  readonly required?: readonly string[];
  readonly description?: string;
}

/** A definition of group example.com, whose spec has the text fields `host` and `note`. */
export function definition({
  kind,
  required,
  description,
}: DefinitionParts): CustomResourceDefinition {
  const singular = kind.toLowerCase();
  const text = { type: "string" } as const;
  const spec = {
    type: "object",
    ...(description !== undefined && { description }),
    ...(required && { required }),
    properties: { host: text, note: text },
  } as const;
  const openAPIV3Schema = { type: "object", properties: { spec } } as const;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${singular}s.example.com` },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { kind, listKind: `${kind}List`, plural: `${singular}s`, singular },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

/** A `resource.ts` that imports nothing, so that it loads in any folder. */
export function definitionFile(parts: DefinitionParts): string {
  return `export const crd = () => (${JSON.stringify(definition(parts))});\n`;
}
