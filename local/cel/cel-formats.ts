import {
  dnsLabel,
  dnsSubdomain,
  labelValue,
  letterLabel,
  qualifiedName,
  type TextCheck,
} from "../kube/built-in-names.ts";
import { matchesFormat } from "../kube/schema-formats.ts";
import type { CelLibrary } from "./cel-library.ts";
import { type CelType, readType } from "./cel-type.ts";
import { Opaque, Optional } from "./cel-value.ts";

class FormatValue extends Opaque {
  override readonly type: CelType = readType("kubernetes.NamedFormat");
  readonly name: string;
  readonly check: TextCheck;

  constructor(name: string, check: TextCheck) {
    super();
    this.name = name;
    this.check = check;
  }

  override equals(other: Opaque): boolean {
    return other instanceof FormatValue && other.name === this.name;
  }
}

const FORMATS: Readonly<Record<string, TextCheck>> = {
  dns1123Label: dnsLabel,
  dns1123Subdomain: dnsSubdomain,
  dns1035Label: letterLabel,
  qualifiedName,
  dns1123LabelPrefix: (text) => dnsLabel(asWhole(text)),
  dns1123SubdomainPrefix: (text) => dnsSubdomain(asWhole(text)),
  dns1035LabelPrefix: (text) => letterLabel(asWhole(text)),
  labelValue,
  uri: (text) =>
    matchesFormat("uri", text)
      ? []
      : [text === "" ? 'parse "": empty url' : `parse "${text}": invalid URI for request`],
  uuid: ofFormat("uuid", "does not match the UUID format"),
  byte: ofFormat("byte", "invalid base64"),
  date: ofFormat("date", "invalid date"),
  datetime: ofFormat("datetime", "invalid datetime"),
};

function ofFormat(format: string, fault: string): TextCheck {
  return (text) => (matchesFormat(format, text) ? [] : [fault]);
}

/** A prefix may end with a dash, since more will follow. */
function asWhole(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith("-") ? `${prefix.slice(0, -2)}a` : prefix;
}

function named(name: string): FormatValue | undefined {
  const check = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  return check && new FormatValue(name, check);
}

/** https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-format-library */
export const FORMAT_LIBRARY: CelLibrary = {
  ...Object.fromEntries(
    Object.entries(FORMATS).map(([name, check]) => [
      `format.${name}`,
      { "() kubernetes.NamedFormat": () => new FormatValue(name, check) },
    ]),
  ),
  "format.named": {
    "(string) optional_type(kubernetes.NamedFormat)": (name: string) => new Optional(named(name)),
  },
  validate: {
    "kubernetes.NamedFormat.(string) optional_type(list(string))": (
      { check }: FormatValue,
      text: string,
    ) => {
      const faults = check(text);
      return faults.length === 0 ? Optional.NONE : new Optional(faults);
    },
  },
};
