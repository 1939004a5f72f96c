export { resourcesOfCrd } from "./crd-schema-resources.ts";
export { checkStructural } from "./crd-schema-structural.ts";
