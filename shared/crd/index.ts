export { cel, immutable } from "./cel.ts";
export * from "./columns.ts";
export * from "./conditions.ts";
export { crdChanges, type InstalledCrd } from "./crd-changes.ts";
export * from "./crd-warnings.ts";
export * from "./crd-yaml.ts";
export type * from "./custom-resource-definition.ts";
export * from "./define-crd.ts";
export * from "./lists.ts";
export type { RoleRule, RoleVerb } from "./role-rules.ts";
export {
  functionRoles,
  type RoleBindingManifest,
  type RoleManifest,
  type RoleOptions,
  type RoleSubject,
  watcherRoles,
} from "./roles.ts";
export type { CrdChange } from "./schema-changes.ts";
export * from "./values.ts";
