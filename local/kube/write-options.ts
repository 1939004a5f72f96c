import { ApiError, type FieldError } from "./api-error.ts";
import type { PatchType } from "./patch-body.ts";
import { forbidden, goQuote, invalid, notSupported, required, tooLong } from "./schema-errors.ts";

/** What a write was asked with. */
export interface WriteOptions {
  readonly manager: string;
  readonly dryRun: boolean;
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
  readonly force: boolean;
}

/** Where the options of a write are read from. */
export interface WriteRequest {
  readonly query: URLSearchParams;
  readonly userAgent: string;
  /** As the kind of the options is called in refusals. */
  readonly kind: "CreateOptions" | "UpdateOptions" | "PatchOptions";
  /** Of a patch. */
  readonly type?: PatchType;
}

/** https://kubernetes.io/docs/reference/using-api/server-side-apply/#managers */
const MAX_MANAGER_BYTES = 128;
const LEVELS = ["", "Ignore", "Strict", "Warn"];

/** Reads the query of a write; throws ApiError 422 where it holds what is not known. */
export function writeOptionsOf({ query, userAgent, kind, type }: WriteRequest): WriteOptions {
  const manager = query.get("fieldManager") ?? "";
  const force = isTrue(query.get("force"));
  const dryRun = query.getAll("dryRun");
  const fieldValidation = query.get("fieldValidation") ?? "";
  const faults = [
    ...patchFaults(type, { manager, forced: query.has("force") }),
    ...managerFaults(manager),
    ...(dryRun.some((each) => each !== "All") ? [unknownDryRun(dryRun)] : []),
    ...(LEVELS.includes(fieldValidation)
      ? []
      : [notSupported("fieldValidation", fieldValidation, LEVELS)]),
  ];
  if (faults.length > 0) throw invalidOptions(kind, faults);
  return {
    manager: manager || managerOf(userAgent) || "unknown",
    dryRun: dryRun.length > 0,
    fieldValidation: (fieldValidation || "Warn") as WriteOptions["fieldValidation"],
    force,
  };
}

function patchFaults(
  type: PatchType | undefined,
  { manager, forced }: { readonly manager: string; readonly forced: boolean },
): readonly FieldError[] {
  if (type === "apply") {
    return manager === "" ? [required("fieldManager", "is required for apply patch")] : [];
  }
  return forced ? [forbidden("force", "may not be specified for non-apply patch")] : [];
}

function managerFaults(manager: string): readonly FieldError[] {
  if (Buffer.byteLength(manager) > MAX_MANAGER_BYTES) {
    return [tooLong("fieldManager", MAX_MANAGER_BYTES)];
  }
  const letter = Array.from(manager).find((each) => !isPrintable(each));
  if (letter === undefined) return [];
  const point = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const position = Buffer.byteLength(manager.slice(0, manager.indexOf(letter)));
  const detail = `invalid character U+${point} (at position ${position})`;
  return [invalid("fieldManager", manager, detail)];
}

/** The first part of the User-Agent, as far as it can be shown. */
function managerOf(userAgent: string): string {
  let name = "";
  for (const letter of userAgent.split("/")[0] ?? "") {
    if (!isPrintable(letter)) continue;
    if (Buffer.byteLength(name + letter) > MAX_MANAGER_BYTES) break;
    name += letter;
  }
  return name;
}

/** As Go's unicode.IsPrint. */
function isPrintable(letter: string): boolean {
  return letter === " " || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(letter);
}

/** Anything but "false" and "0" is true. */
function isTrue(text: string | null): boolean {
  return text !== null && text !== "0" && text.toLowerCase() !== "false";
}

function unknownDryRun(got: readonly string[]): FieldError {
  const message = `Unsupported value: ${JSON.stringify(got)}: supported values: ${goQuote("All")}`;
  return { reason: "FieldValueNotSupported", field: "dryRun", message };
}

function invalidOptions(kind: string, causes: readonly FieldError[]): ApiError {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const text = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: `${kind}.meta.k8s.io "" is invalid: ${text}`,
    details: { group: "meta.k8s.io", kind, causes },
  });
}
