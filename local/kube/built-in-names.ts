import type { FieldError } from "./api-error.ts";
import { invalid, notSupported, required } from "./schema-errors.ts";

/** What is wrong with a text, in the API server's words; empty where nothing is. */
export type TextCheck = (text: string) => readonly string[];

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const VALUE = `(${QUALIFIED})?`;

const LETTER_LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?";
const LETTER_LABEL_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an " +
  "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', " +
  `regex used for validation is '${LETTER_LABEL}')`;
const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must " +
  `start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`;
const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " +
  "and must start and end with an alphanumeric character (e.g. 'example.com', regex used for " +
  `validation is '${SUBDOMAIN}')`;
const QUALIFIED_TEXT =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
  "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation " +
  `is '${QUALIFIED}')`;

/** As in k8s.io/apimachinery/pkg/util/validation: IsDNS1123Label and so on. */
export const dnsLabel: TextCheck = (text) => [
  ...(text.length > 63 ? ["must be no more than 63 characters"] : []),
  ...(whole(LABEL).test(text)
    ? []
    : [whole(SUBDOMAIN).test(text) ? "must not contain dots" : LABEL_TEXT]),
];

/** A label that begins with a letter: IsDNS1035Label. */
export const letterLabel: TextCheck = (text) => [
  ...(text.length > 63 ? ["must be no more than 63 characters"] : []),
  ...(whole(LETTER_LABEL).test(text) ? [] : [LETTER_LABEL_TEXT]),
];

export const dnsSubdomain: TextCheck = (text) => [
  ...(text.length > 253 ? ["must be no more than 253 characters"] : []),
  ...(whole(SUBDOMAIN).test(text) ? [] : [SUBDOMAIN_TEXT]),
];

/** What a name may hold that is part of a path: roles and the like. */
export const pathSegment: TextCheck = (text) => {
  if (text === "." || text === "..") return [`may not be '${text}'`];
  return ["/", "%"]
    .filter((each) => text.includes(each))
    .map((each) => `may not contain '${each}'`);
};

export const qualifiedName: TextCheck = (text) => {
  const parts = text.split("/");
  if (parts.length > 2) {
    return [
      `a valid label key ${QUALIFIED_TEXT} with an optional DNS subdomain prefix and '/' (e.g. ` +
        "'example.com/MyName')",
    ];
  }
  const name = parts.at(-1) ?? "";
  const prefix = parts.length === 2 ? (parts[0] ?? "") : undefined;
  return [
    ...(prefix === "" ? ["prefix part must be non-empty"] : []),
    ...(prefix ? dnsSubdomain(prefix).map((why) => `prefix part ${why}`) : []),
    ...(name === "" ? ["name part must be non-empty"] : []),
    ...(name.length > 63 ? ["name part must be no more than 63 bytes"] : []),
    ...(whole(QUALIFIED).test(name) ? [] : [`name part ${QUALIFIED_TEXT}`]),
  ];
};

export const labelValue: TextCheck = (text) => [
  ...(text.length > 63 ? ["must be no more than 63 bytes"] : []),
  ...(whole(VALUE).test(text)
    ? []
    : [
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or " +
          "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or " +
          `'my_value',  or '12345', regex used for validation is '${VALUE}')`,
      ]),
];

/** Of a port of a container. */
export const portName: TextCheck = (text) => {
  const faults: string[] = [];
  if (text.length > 15) faults.push("must be no more than 15 characters");
  if (!/^[-a-z0-9]+$/.test(text)) {
    faults.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/.test(text)) faults.push("must contain at least one letter (a-z)");
  if (text.includes("--")) faults.push("must not contain consecutive hyphens");
  if (/^-|-$/.test(text)) faults.push("must not begin or end with a hyphen");
  return faults;
};

export const envName: TextCheck = (text) =>
  /^[ -<>-~]+$/.test(text)
    ? []
    : [
        "a valid environment variable name must consist only of printable ASCII characters other " +
          "than '='",
      ];

export const configKey: TextCheck = (text) => {
  if (text.length > 253) return ["must be no more than 253 characters"];
  if (/^[-._a-zA-Z0-9]+$/.test(text))
    return text === "." || text === ".." ? [`must not be '${text}'`] : [];
  return [
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  " +
      "or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
  ];
};

/** "25%"; also whether it is at most 100%. */
export const percent: TextCheck = (text) =>
  /^[0-9]+%$/.test(text)
    ? []
    : [
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or " +
          "'93%', regex used for validation is '[0-9]+%')",
      ];

/** The faults of a text that must be there. */
export function requiredText(field: string, value: unknown, check?: TextCheck): FieldError[] {
  return isMissing(value) ? [required(field)] : optionalText(field, value, check);
}

/** The faults of a text, if there is one. */
export function optionalText(
  field: string,
  value: unknown,
  check: TextCheck = () => [],
): FieldError[] {
  if (typeof value !== "string" || value === "") return [];
  return check(value).map((why) => invalid(field, value, why));
}

/** One of a few texts; a missing one is another's fault. */
export function oneOf(field: string, value: unknown, supported: readonly string[]): FieldError[] {
  if (isMissing(value) || supported.includes(String(value))) return [];
  return [notSupported(field, value, supported)];
}

/** A number that is not negative, if there is one. */
export function notNegative(field: string, value: unknown): FieldError[] {
  if (typeof value !== "number" || value >= 0) return [];
  return [invalid(field, value, "must be greater than or equal to 0")];
}

export function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** A port by its number. */
export function portNumber(field: string, value: unknown): FieldError[] {
  if (typeof value === "number" && value >= 1 && value <= 65_535) return [];
  return [invalid(field, value ?? 0, "must be between 1 and 65535, inclusive")];
}

/** A port by its number or name. */
export function portNumberOrName(field: string, value: unknown): FieldError[] {
  return typeof value === "string" ? namedPort(field, value) : portNumber(field, value);
}

function namedPort(field: string, value: string): FieldError[] {
  return portName(value).map((why) => invalid(field, value, why));
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
