import { badRequest } from "./list-error.ts";
import { goQuote } from "./schema-errors.ts";

/** Where a paged list goes on. */
export interface ContinueToken {
  /** The version that all pages are read at; -1: the newest one. */
  readonly version: number;
  /** The first key that may follow, below the listed folder ("name\0" or "namespace/name\0"). */
  readonly start: string;
}

const API_VERSION = "meta.k8s.io/v1";

/** In the API server's form; clients do not look into it. */
export function encodeContinue({ version, start }: ContinueToken): string {
  const json = JSON.stringify({ v: API_VERSION, rv: version, start: `/${start}` });
  return Buffer.from(json).toString("base64url");
}

/** Throws an ApiError 400 with the API server's words where it is none. */
export function decodeContinue(token: string): ContinueToken {
  const { v, rv, start } = parsed(token);
  if (v !== API_VERSION) {
    const shown = typeof v === "string" ? v : "";
    throw refused(`server does not recognize this encoded version ${shown}`);
  }
  if (typeof rv !== "number" || rv === 0) {
    throw refused(`incorrect encoded start resourceVersion (version ${API_VERSION})`);
  }
  if (typeof start !== "string" || start === "") {
    throw refused(`encoded start key empty (version ${API_VERSION})`);
  }
  const key = start.replace(/^\//, "");
  const climbs = key.split("/").some((part) => part === "" || part === "." || part === "..");
  if (climbs) throw refused(start);
  return { version: rv, start: key };
}

function parsed(token: string): { v?: unknown; rv?: unknown; start?: unknown } {
  const wrong = token.search(/[^A-Za-z0-9_-]/);
  if (wrong >= 0) throw refused(`illegal base64 data at input byte ${wrong}`);
  if (token.length % 4 === 1) {
    throw refused(`illegal base64 data at input byte ${token.length - 1}`);
  }
  const bytes = Buffer.from(token, "base64url");
  const value = jsonOf(bytes);
  if (value !== null && typeof value === "object" && !Array.isArray(value)) return value;
  if (value !== undefined) {
    const kind = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
    throw refused(`json: cannot unmarshal ${kind} into Go value of type storage.continueToken`);
  }
  if (bytes.length === 0) throw refused("unexpected end of JSON input");
  const first = goQuote(String.fromCharCode(bytes[0] ?? 0)).slice(1, -1);
  throw refused(`invalid character '${first}' looking for beginning of value`);
}

/** Undefined where it is no JSON. */
function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined; // Refused by the caller.
  }
}

function refused(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
