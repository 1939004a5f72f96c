import { ApiError, type FieldError } from "./api-error.ts";
import { isMap, type Json } from "./fields-value.ts";
import { badRequest } from "./registry-errors.ts";

/** What a DELETE was asked with. */
export interface DeleteOptions {
  readonly propagation?: "Background" | "Foreground" | "Orphan" | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  /** Seconds that a Pod is given to end. */
  readonly gracePeriodSeconds?: number | undefined;
  /** An older way to say the propagation, after which a delete is only accepted. */
  readonly orphanDependents?: boolean | undefined;
  readonly dryRun: boolean;
}

/** Reads the options of a DELETE from its body, or from its query where it has none. Throws ApiError 400 or 422. */
export function deleteOptionsOf(body: string, query: URLSearchParams): DeleteOptions {
  const given = body === "" ? fromQuery(query) : fromBody(body);
  const faults = faultsOf(given);
  if (faults.length > 0) throw invalidOptions(faults);
  const { propagationPolicy, orphanDependents } = given;
  const orphan = orphanDependents === true ? "Orphan" : undefined;
  const older = orphanDependents === undefined ? undefined : (orphan ?? "Background");
  return {
    propagation: (propagationPolicy ?? older) as DeleteOptions["propagation"],
    uid: given.preconditions?.uid,
    resourceVersion: given.preconditions?.resourceVersion,
    gracePeriodSeconds: given.gracePeriodSeconds,
    orphanDependents,
    dryRun: (given.dryRun ?? []).includes("All"),
  };
}

interface Given {
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
}

function fromQuery(query: URLSearchParams): Given {
  const text = (name: string) => query.get(name) || undefined;
  const seconds = text("gracePeriodSeconds");
  if (seconds !== undefined && !/^[-+]?\d+$/.test(seconds)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(seconds)}: invalid syntax`);
  }
  const policy = text("propagationPolicy");
  const orphan = text("orphanDependents");
  const dryRun = query.getAll("dryRun").filter((each) => each !== "");
  return {
    ...(policy !== undefined && { propagationPolicy: policy }),
    ...(orphan !== undefined && { orphanDependents: orphan === "true" || orphan === "1" }),
    ...(seconds !== undefined && { gracePeriodSeconds: Number(seconds) }),
    ...(dryRun.length > 0 && { dryRun }),
  };
}

function fromBody(body: string): Given {
  const fault = (why: string) => badRequest(`couldn't get version/kind; json parse error: ${why}`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw fault("unexpected end of JSON input");
  }
  if (!isMap(parsed)) {
    const type = Array.isArray(parsed) ? "array" : typeof parsed;
    throw fault(
      `json: cannot unmarshal ${type} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  checkKind(parsed);
  return parsed as Given;
}

function checkKind({ kind = "DeleteOptions", apiVersion = "v1" }: Json): void {
  if (kind === "DeleteOptions") return;
  throw badRequest(
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

const POLICIES = ["Foreground", "Background", "Orphan"];

function faultsOf({ propagationPolicy, orphanDependents, dryRun = [] }: Given): FieldError[] {
  const faults: FieldError[] = [];
  const field = "propagationPolicy";
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    const message = `Invalid value: ${JSON.stringify(propagationPolicy)}: orphanDependents and deletionPropagation cannot be both set`;
    faults.push({ reason: "FieldValueInvalid", message, field });
  } else if (propagationPolicy !== undefined && !POLICIES.includes(propagationPolicy)) {
    const message = `Unsupported value: ${JSON.stringify(propagationPolicy)}: supported values: "Foreground", "Background", "Orphan", "nil"`;
    faults.push({ reason: "FieldValueNotSupported", message, field });
  }
  if (dryRun.some((each) => each !== "All")) {
    const message = `Unsupported value: ${JSON.stringify(dryRun)}: supported values: "All"`;
    faults.push({ reason: "FieldValueNotSupported", message, field: "dryRun" });
  }
  return faults;
}

function invalidOptions(causes: readonly FieldError[]): ApiError {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const text = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: `DeleteOptions.meta.k8s.io "" is invalid: ${text}`,
    details: { group: "meta.k8s.io", kind: "DeleteOptions", causes },
  });
}
