export { cel, immutable } from "./cel.ts";
export * from "./columns.ts";
export * from "./conditions.ts";
export * from "./crd-yaml.ts";
export type * from "./custom-resource-definition.ts";
export * from "./define-crd.ts";
export * from "./lists.ts";
export * from "./values.ts";
