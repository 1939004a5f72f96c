import { ApiError } from "./api-error.ts";
import { badRequest } from "./registry-errors.ts";

/** What a write was asked with. */
export interface WriteOptions {
  readonly manager: string;
  /** Whether the client named the manager itself. */
  readonly managerNamed: boolean;
  readonly dryRun: boolean;
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
  readonly force: boolean;
}

/** https://kubernetes.io/docs/reference/using-api/server-side-apply/#managers */
const MAX_MANAGER_CHARACTERS = 128;

/** Reads the query of a write; throws an ApiError where it holds what is not known. */
export function writeOptionsOf(
  query: URLSearchParams,
  userAgent: string,
  kind = "PatchOptions",
): WriteOptions {
  const named = query.get("fieldManager") ?? "";
  const dryRun = query.getAll("dryRun").filter((each) => each !== "");
  const validation = query.get("fieldValidation") ?? "";
  const faults = [
    ...(dryRun.some((each) => each !== "All") ? [unsupported("dryRun", dryRun, ["All"])] : []),
    ...(named.length > MAX_MANAGER_CHARACTERS
      ? [
          {
            reason: "FieldValueTooLong",
            field: "fieldManager",
            message: "Too long: may not be more than 128 bytes",
          },
        ]
      : []),
    ...(["", "Ignore", "Warn", "Strict"].includes(validation)
      ? []
      : [unsupported("fieldValidation", validation, ["Ignore", "Strict", "Warn"])]),
  ];
  if (faults.length > 0) throw invalidOptions(kind, faults);
  return {
    manager: named || (userAgent.split("/")[0] ?? "") || "unknown",
    managerNamed: named !== "",
    dryRun: dryRun.length > 0,
    fieldValidation: (validation || "Warn") as WriteOptions["fieldValidation"],
    force: flagOf(query.get("force")),
  };
}

function unsupported(field: string, got: string | readonly string[], known: readonly string[]) {
  const texts = known.map((each) => JSON.stringify(each)).join(", ");
  const message = `Unsupported value: ${JSON.stringify(got)}: supported values: ${texts}`;
  return { reason: "FieldValueNotSupported", field, message };
}

function invalidOptions(
  kind: string,
  causes: readonly { reason: string; field: string; message: string }[],
): ApiError {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const text = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: `${kind}.meta.k8s.io "" is invalid: ${text}`,
    details: { group: "meta.k8s.io", kind, causes },
  });
}

function flagOf(text: string | null): boolean {
  if (text === null || text === "" || text === "false" || text === "0") return false;
  if (text === "true" || text === "1") return true;
  throw badRequest(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
}
