import type { FieldError } from "./api-error.ts";
import {
  EVERY_FIELD,
  exactField,
  type FieldSelector,
  parseFieldSelector,
} from "./field-selectors.ts";
import { badRequest, invalidListOptions } from "./list-error.ts";
import { EVERY_LABEL, type LabelSelector, parseLabelSelector } from "./selectors.ts";
import type { ServedResource } from "./served-resource.ts";

export type Query = Readonly<Record<string, string | undefined>>;

/** The query of a list or a watch. */
export interface ListOptions {
  readonly watch: boolean;
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
  /** As the client wrote it: "" is unset. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  /** 0 and less: no limit. */
  readonly limit: number;
  readonly continue: string;
  readonly timeoutSeconds?: number;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents?: boolean;
}

/**
 * Reads the query of a list or watch of a resource. Throws an ApiError (400, 422) with the API
 * server's words where it is none.
 *
 * @param name Of a watch on one object by its path.
 */
export function listOptionsOf(query: Query, resource: ServedResource, name?: string): ListOptions {
  const timeoutSeconds = integer(query.timeoutSeconds);
  const initial = switched(query.sendInitialEvents);
  const options = withWatchDefaults({
    watch: switched(query.watch) ?? false,
    labels: labelsOf(query.labelSelector),
    fields: EVERY_FIELD,
    resourceVersion: query.resourceVersion ?? "",
    resourceVersionMatch: query.resourceVersionMatch ?? "",
    limit: integer(query.limit) ?? 0,
    continue: query.continue ?? "",
    allowWatchBookmarks: switched(query.allowWatchBookmarks) ?? false,
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(initial !== undefined && { sendInitialEvents: initial }),
  });
  const faults = options.watch ? watchFaults(options) : listFaults(options);
  if (faults.length > 0) throw invalidListOptions(faults);
  return { ...options, fields: fieldsOf(query.fieldSelector, resource, name) };
}

/** Whether every object is selected. */
export function selectsAll({ labels, fields }: ListOptions): boolean {
  return labels.requirements.length === 0 && fields.terms.length === 0;
}

function labelsOf(text: string | undefined): LabelSelector {
  return text ? asBadRequest(() => parseLabelSelector(text)) : EVERY_LABEL;
}

function fieldsOf(text: string | undefined, resource: ServedResource, name?: string) {
  const fields = text ? asBadRequest(() => parseFieldSelector(text, resource)) : EVERY_FIELD;
  if (name === undefined) return fields;
  if (fields.terms.length === 0) {
    return { terms: [{ field: "metadata.name", equal: true, value: name }] };
  }
  if (exactField(fields, "metadata.name") === name) return fields;
  throw badRequest("fieldSelector metadata.name doesn't match requested name");
}

function asBadRequest<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw badRequest((error as Error).message);
  }
}

/** A watch from no version begins with the present state, as one that asks for it does. */
function withWatchDefaults(options: ListOptions): ListOptions {
  const { watch, sendInitialEvents, resourceVersion, resourceVersionMatch } = options;
  if (!watch || sendInitialEvents !== undefined || resourceVersionMatch !== "") return options;
  if (resourceVersion !== "" && resourceVersion !== "0") return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" };
}

const MATCH = "resourceVersionMatch";

function listFaults(options: ListOptions): FieldError[] {
  const { resourceVersion, resourceVersionMatch: match, sendInitialEvents } = options;
  const faults: FieldError[] = [];
  if (match !== "") {
    if (resourceVersion === "") {
      faults.push(forbidden(MATCH, `${MATCH} is forbidden unless resourceVersion is provided`));
    }
    if (options.continue !== "") {
      faults.push(forbidden(MATCH, `${MATCH} is forbidden when continue is provided`));
    }
    if (match !== "Exact" && match !== "NotOlderThan") {
      faults.push(unsupported(match, ["Exact", "NotOlderThan", ""]));
    }
    if (match === "Exact" && resourceVersion === "0") {
      faults.push(forbidden(MATCH, `${MATCH} "exact" is forbidden for resourceVersion "0"`));
    }
  }
  if (sendInitialEvents !== undefined) {
    faults.push(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return faults;
}

function watchFaults(options: ListOptions): FieldError[] {
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  const faults: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== "NotOlderThan") {
    faults.push(forbidden(MATCH, `sendInitialEvents requires setting ${MATCH} to NotOlderThan`));
  }
  if (match === "") return faults;
  if (sendInitialEvents === undefined) {
    const text = `${MATCH} is forbidden for watch unless sendInitialEvents is provided`;
    faults.push(forbidden(MATCH, text));
  }
  if (match !== "NotOlderThan") faults.push(unsupported(match, ["NotOlderThan"]));
  if (options.continue !== "") {
    faults.push(forbidden(MATCH, `${MATCH} is forbidden when continue is provided`));
  }
  return faults;
}

function forbidden(field: string, text: string): FieldError {
  return { reason: "FieldValueForbidden", message: `Forbidden: ${text}`, field };
}

function unsupported(value: string, supported: readonly string[]): FieldError {
  const known = supported.map((each) => JSON.stringify(each)).join(", ");
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${known}`;
  return { reason: "FieldValueNotSupported", message, field: MATCH };
}

/** Only "0" and "false" are no; an empty value is yes. */
function switched(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : text !== "0" && text.toLowerCase() !== "false";
}

function integer(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = /^[+-]?\d+$/.test(text) ? BigInt(text.replace("+", "")) : undefined;
  if (number !== undefined && BigInt.asIntN(64, number) === number) return Number(number);
  const why = number !== undefined ? "value out of range" : "invalid syntax";
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`);
}
