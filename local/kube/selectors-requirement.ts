export type SelectorOperator = "in" | "notin" | "=" | "==" | "!=" | ">" | "<" | "exists" | "!";

export interface Requirement {
  readonly key: string;
  readonly operator: SelectorOperator;
  readonly values: readonly string[];
}

/** Makes a requirement; throws with the API server's words where key or values are no labels. */
export function requirement(
  key: string,
  operator: SelectorOperator,
  values: readonly string[],
): Requirement {
  const keyFaults = labelKeyFaults(key);
  if (keyFaults.length > 0) {
    throw new Error(`<nil>: Invalid value: ${JSON.stringify(key)}: ${keyFaults.join("; ")}`);
  }
  const faults = values.flatMap((value, index) => valueFaults({ key, operator, value, index }));
  if (faults.length > 1) throw new Error(`[${faults.join(", ")}]`);
  if (faults[0]) throw new Error(faults[0]);
  return { key, operator, values };
}

const NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const NAME_WORDS =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character" +
  " (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const SUBDOMAIN_WORDS =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character" +
  " (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** What is wrong with a label's key, in the API server's words; nothing where it is good. */
function labelKeyFaults(key: string): string[] {
  const parts = key.split("/");
  const name = parts.at(-1) ?? "";
  if (parts.length > 2) {
    return [
      `a valid label key ${NAME_WORDS} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const faults = parts.length === 2 ? prefixFaults(parts[0] ?? "") : [];
  if (name.length === 0) faults.push("name part must be non-empty");
  else if (Buffer.byteLength(name) > 63) faults.push("name part must be no more than 63 bytes");
  if (!NAME.test(name)) faults.push(`name part ${NAME_WORDS}`);
  return faults;
}

function prefixFaults(prefix: string): string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  const faults: string[] = [];
  if (Buffer.byteLength(prefix) > 253) faults.push("prefix part must be no more than 253 bytes");
  if (!SUBDOMAIN.test(prefix)) faults.push(`prefix part ${SUBDOMAIN_WORDS}`);
  return faults;
}

/** What is wrong with a label's value, in the API server's words; nothing where it is good. */
function labelValueFaults(value: string): string[] {
  const faults: string[] = [];
  if (Buffer.byteLength(value) > 63) faults.push("must be no more than 63 bytes");
  if (value !== "" && !NAME.test(value)) {
    faults.push(
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character" +
        " (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    );
  }
  return faults;
}

function valueFaults(of: {
  key: string;
  operator: SelectorOperator;
  value: string;
  index: number;
}): string[] {
  const { key, operator, value, index } = of;
  const shown = `Invalid value: ${JSON.stringify(value)}: `;
  const faults = labelValueFaults(value);
  const found: string[] = [];
  if ((operator === ">" || operator === "<") && !/^[+-]?\d+$/.test(value)) {
    found.push(`values[${index}]: ${shown}for 'Gt', 'Lt' operators, the value must be an integer`);
  }
  if (faults.length > 0) found.push(`values[${index}][${key}]: ${shown}${faults.join("; ")}`);
  return found;
}
