import type { ApiObject } from "./api-object.ts";
import type { ServedResource } from "./served-resource.ts";

/** Reads a field of a stored object as selectors compare it. */
export type FieldGetter = (object: ApiObject) => string;

/**
 * How a resource's field is read. Throws an Error with the API server's words where one cannot
 * select by it.
 */
export function fieldOf(resource: ServedResource, field: string): FieldGetter {
  if (field === "metadata.name") return NAME;
  const { custom, namespaced, storage } = resource;
  if (custom) return customField(resource, field);
  const key = `${resource.group}/${resource.plural}`;
  const rules = BUILT_IN[key] ?? BUILT_IN[`${storage.group}/${storage.plural}`];
  if (field === "metadata.namespace" && (!rules || namespaced)) return NAMESPACE;
  const getter = rules?.fields[field];
  if (getter) return getter;
  throw new Error(rules ? (rules.refusal ?? refusal)(field) : unknownField(field));
}

const NAME: FieldGetter = (object) => object.metadata.name;
const NAMESPACE: FieldGetter = (object) => object.metadata.namespace ?? "";

function refusal(field: string): string {
  return `field label not supported: ${field}`;
}

function unknownField(field: string): string {
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function customField({ namespaced, selectableFields }: ServedResource, field: string): FieldGetter {
  if (namespaced && field === "metadata.namespace") return NAMESPACE;
  if (!selectableFields.some((path) => path.replace(/^\./, "") === field)) {
    throw new Error(refusal(field));
  }
  return at(field);
}

/** The value at a path of names; `absent` where there is none. */
function at(path: string, absent = ""): FieldGetter {
  const names = path.split(".");
  return (object) => {
    let value: unknown = object;
    for (const name of names) {
      if (value === null || typeof value !== "object") return absent;
      value = (value as Record<string, unknown>)[name];
    }
    if (value === undefined || value === null) return absent;
    return typeof value === "string" ? value : JSON.stringify(value);
  };
}

interface BuiltInFields {
  readonly fields: Readonly<Record<string, FieldGetter>>;
  /** Default "field label not supported: x". */
  readonly refusal?: (field: string) => string;
}

const SOURCE: FieldGetter = (object) =>
  either("source.component", "deprecatedSource.component")(object) || REPORTER(object);

const REPORTER: FieldGetter = (object) =>
  either("reportingComponent", "reportingController")(object);

const REFERENCE = [
  "kind",
  "namespace",
  "name",
  "uid",
  "apiVersion",
  "resourceVersion",
  "fieldPath",
] as const;

/** Of an event in the form of either group, whichever it is stored in. */
function either(core: string, other: string): FieldGetter {
  return (object) => at(core)(object) || at(other)(object);
}

/** An event's reference to its object. */
function referenceFields(prefix: string): Record<string, FieldGetter> {
  return Object.fromEntries(
    REFERENCE.map((name) => [
      `${prefix}.${name}`,
      either(`involvedObject.${name}`, `regarding.${name}`),
    ]),
  );
}

const POD_IP: FieldGetter = (object) =>
  at("status.podIPs.0.ip")(object) || at("status.podIP")(object);

/** By "group/plural". The fields are those that Kubernetes 1.37 selects by. */
const BUILT_IN: Readonly<Record<string, BuiltInFields>> = {
  "/pods": {
    fields: {
      "spec.nodeName": at("spec.nodeName"),
      "spec.host": at("spec.nodeName"),
      "spec.restartPolicy": at("spec.restartPolicy"),
      "spec.schedulerName": at("spec.schedulerName"),
      "spec.serviceAccountName": at("spec.serviceAccountName"),
      "spec.hostNetwork": at("spec.hostNetwork", "false"),
      "status.phase": at("status.phase"),
      "status.podIP": POD_IP,
      "status.podIPs": () => "",
      "status.nominatedNodeName": at("status.nominatedNodeName"),
    },
  },
  "/nodes": { fields: { "spec.unschedulable": at("spec.unschedulable", "false") } },
  "/events": {
    fields: {
      ...referenceFields("involvedObject"),
      reason: at("reason"),
      reportingComponent: REPORTER,
      source: SOURCE,
      type: at("type"),
    },
  },
  "events.k8s.io/events": {
    fields: {
      ...referenceFields("regarding"),
      reason: at("reason"),
      reportingController: REPORTER,
      type: at("type"),
    },
  },
  "/namespaces": { fields: { "status.phase": at("status.phase") } },
  "/secrets": { fields: { type: at("type") } },
  "/services": { fields: { "spec.clusterIP": at("spec.clusterIP"), "spec.type": at("spec.type") } },
  "/replicationcontrollers": { fields: { "status.replicas": at("status.replicas", "0") } },
  "batch/jobs": {
    fields: { "status.successful": at("status.succeeded", "0") },
    refusal: (field) => `field label ${JSON.stringify(field)} not supported for Job`,
  },
  "certificates.k8s.io/certificatesigningrequests": {
    fields: { "spec.signerName": at("spec.signerName") },
  },
};
