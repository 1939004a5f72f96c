// What users import of definitions. What else the parts of the framework share they import by file.
export * from "./condition.ts";
export {
  type Controller,
  type ControllerOptions,
  defineController,
  type OwnedObjects,
} from "./controller.ts";
export * from "./kinds.ts";
export * from "./log.ts";
export {
  defineKind,
  type Key,
  type Kind,
  type KubernetesObject,
  keyOf,
  type ObjectMeta,
  type OwnerReference,
} from "./object.ts";
export {
  and,
  annotationsChanged,
  type Change,
  canonicalJson,
  changed,
  generationChanged,
  inNamespaces,
  type KeptChange,
  labelsChanged,
  not,
  or,
  type Predicate,
  type PredicateOf,
  predicate,
  resourceVersionChanged,
} from "./predicate.ts";
export * from "./reconciler.ts";
export * from "./resource.ts";
export * from "./result.ts";
export * from "./source.ts";
export type { Eviction, Scale, TokenRequest } from "./subresource.ts";
export * from "./use.ts";
