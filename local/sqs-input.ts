import { SqsError } from "./sqs-error.ts";

/** The parsed body of a call, of which nothing is known yet. */
export type SqsInput = Readonly<Record<string, unknown>>;

/** The value as an object; throws SerializationException for anything else. */
export function objectOf(value: unknown, name: string): SqsInput {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrongType(name, "an object", value);
  }
  return value as SqsInput;
}

/** A field that is a string, or absent. */
export function textOf(input: SqsInput, name: string): string | undefined {
  const value = input[name] ?? undefined;
  if (value !== undefined && typeof value !== "string") throw wrongType(name, "a string", value);
  return value;
}

/** A field that must be there and not be empty; throws MissingParameter otherwise. */
export function requiredTextOf(input: SqsInput, name: string): string {
  const value = textOf(input, name);
  if (!value) throw missing(name);
  return value;
}

/** A field that is an integer between `min` and `max`, both included, or absent. */
export function integerOf(
  input: SqsInput,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const value = input[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value)) {
    throw wrongType(name, "an integer", value);
  }
  if (value < min || value > max) {
    throw new SqsError(
      "InvalidParameterValue",
      `Value ${value} for parameter ${name} is invalid. Reason: Must be between ${min} and ${max}, if provided.`,
    );
  }
  return value;
}

/** A field that is a list of strings; empty where it is absent. */
export function textsOf(input: SqsInput, name: string): readonly string[] {
  return listOf(input, name).map((value) => {
    if (typeof value !== "string") throw wrongType(name, "a list of strings", value);
    return value;
  });
}

/** A field that is a map of strings; empty where it is absent. */
export function textMapOf(input: SqsInput, name: string): Readonly<Record<string, string>> {
  const map = objectOf(input[name] ?? {}, name);
  for (const [key, value] of Object.entries(map)) {
    if (typeof value !== "string") throw wrongType(`${name}.${key}`, "a string", value);
  }
  return map as Readonly<Record<string, string>>;
}

/** A field that is a list; empty where it is absent. */
export function listOf(input: SqsInput, name: string): readonly unknown[] {
  const value = input[name] ?? [];
  if (!Array.isArray(value)) throw wrongType(name, "a list", value);
  return value;
}

/** The error for a parameter that is needed and was not given. */
export function missing(name: string): SqsError {
  return new SqsError("MissingParameter", `The request must contain the parameter ${name}.`);
}

/** The error for a parameter whose value cannot be. */
export function invalid(name: string, value: string | number, reason: string): SqsError {
  return new SqsError(
    "InvalidParameterValue",
    `Value ${value} for parameter ${name} is invalid. Reason: ${reason}`,
  );
}

function wrongType(name: string, expected: string, value: unknown): SqsError {
  const got = value === null ? "null" : Array.isArray(value) ? "a list" : typeof value;
  return new SqsError(
    "SerializationException",
    `reading the request: expected ${name} to be ${expected}, got ${got}`,
  );
}
