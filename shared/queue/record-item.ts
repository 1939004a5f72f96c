import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { NO_RECORD, type ObjectRecord } from "./record.ts";

/** An item of the table, as the SDK gives it. */
export type Item = Readonly<Record<string, AttributeValue>>;

type Field = keyof ObjectRecord;

/** How each field of a record is stored. The attribute's name is the field's. */
const FIELDS: Readonly<Record<Field, "N" | "S" | "B">> = {
  epoch: "N",
  runId: "S",
  runUntil: "N",
  failures: "N",
  postponed: "N",
  selfWakes: "N",
  selfWakesSince: "N",
  heldUntil: "N",
  retryHandle: "S",
  dueAt: "N",
  outcome: "S",
  error: "S",
  startedAt: "N",
  finishedAt: "N",
  reason: "S",
  uid: "S",
  generation: "N",
  revision: "S",
  seen: "B",
  applied: "B",
  expiresAt: "N",
};

/** The record that an item holds; of no item, that of a key that never ran. */
export function recordOf(item: Item | undefined): ObjectRecord {
  const entries = Object.keys(FIELDS).flatMap((field) => {
    const value = item?.[field];
    return value === undefined ? [] : [[field, fieldValue(value)] as const];
  });
  return { ...NO_RECORD, ...Object.fromEntries(entries) };
}

/** The attribute value of a field. Fails on a number that is not finite, which DynamoDB cannot hold. */
export function attributeOf(value: string | number | Uint8Array): AttributeValue {
  if (typeof value === "string") return { S: value };
  if (typeof value !== "number") return { B: value };
  if (!Number.isFinite(value)) {
    throw new Error(`cannot write record: expected a finite number, got ${value}`);
  }
  return { N: String(value) };
}

function fieldValue(value: AttributeValue): string | number | Uint8Array | undefined {
  if (value.N !== undefined) return Number(value.N);
  // Plain bytes: the SDK gives a Buffer's view where it can, which compares unequal in tests.
  return value.S ?? (value.B && new Uint8Array(value.B));
}
