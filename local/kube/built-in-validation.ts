import type { FieldError } from "./api-error.ts";
import { definitionName } from "./built-in-resources.ts";
import { appsRules } from "./built-in-validation-apps.ts";
import {
  INVALID_SELECTOR,
  metadataFaultsOf,
  metadataRules,
} from "./built-in-validation-metadata.ts";
import { otherRules } from "./built-in-validation-other.ts";
import { podRules } from "./built-in-validation-pod.ts";
import { serviceRules } from "./built-in-validation-service.ts";
import { isPart, type Part, ruleFinder, visitParts } from "./built-in-visit.ts";
import { definitionFaults } from "./crd-faults.ts";
import type { ServedResource } from "./served-resource.ts";

/**
 * Faults of a built-in object with its defaults filled in, with the API server's texts: what is
 * required, enums, names, labels, ports, selectors that do not match their template. It checks less
 * than the API server: what it does not know passes. Faults of a whole come before those of its parts,
 * which is mostly but not always the API server's order.
 */
export function validateBuiltIn(resource: ServedResource, object: object): FieldError[] {
  const definition = definitionName(resource);
  if (definition === undefined) return [];
  const faults = [...validateMetadata(resource, object)];
  visitParts(definition, object, (name, part, path) => {
    faults.push(...(ruleOf(name)?.(part, path) ?? []));
  });
  return selectorsLast(faults);
}

/** What is said of a whole selector comes after what is wrong inside. */
function selectorsLast(faults: readonly FieldError[]): FieldError[] {
  const wholes = faults.filter(({ message }) => message.endsWith(`: ${INVALID_SELECTOR}`));
  const ordered = faults.filter((each) => !wholes.includes(each));
  for (const whole of wholes) {
    const last = ordered.findLastIndex(({ field }) => field.startsWith(`${whole.field}.`));
    ordered.splice(last + 1, 0, whole);
  }
  return ordered;
}

/** Faults of names, labels, annotations, finalizers and owners, of built-in and custom objects alike. */
export function validateMetadata(resource: ServedResource, object: object): FieldError[] {
  const { metadata } = object as Part;
  return isPart(metadata) ? metadataFaultsOf(resource, metadata) : [];
}

/** The faults of one part; keyed by the end of its definition's name, "core.v1.Container". */
export type PartRules = Readonly<
  Record<string, (part: Part, path: string) => readonly FieldError[]>
>;

const RULES: PartRules = {
  ...metadataRules,
  ...podRules,
  ...appsRules,
  ...serviceRules,
  ...otherRules,
  "apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition": definitionFaults,
};

const ruleOf = ruleFinder(RULES, /^io\.k8s\.(api\.|apimachinery\.pkg\.apis\.)?/);
