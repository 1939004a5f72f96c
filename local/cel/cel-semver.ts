import type { CelLibrary } from "./cel-library.ts";
import { type CelType, readType } from "./cel-type.ts";
import { CelError, Opaque } from "./cel-value.ts";

class SemverValue extends Opaque {
  override readonly type: CelType = readType("kubernetes.Semver");
  readonly numbers: readonly bigint[];
  readonly prerelease: readonly string[];

  constructor(numbers: readonly bigint[], prerelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  override equals(other: Opaque): boolean {
    return other instanceof SemverValue && compare(this, other) === 0;
  }
}

/** https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-semver-library */
export const SEMVERS: CelLibrary = {
  semver: {
    "(string) kubernetes.Semver": (text: string) => semverOf(text, false),
    "(string, bool) kubernetes.Semver": semverOf,
  },
  isSemver: {
    "(string) bool": (text: string) => parsed(text, false) !== undefined,
    "(string, bool) bool": (text: string, lenient: boolean) => parsed(text, lenient) !== undefined,
  },
  isGreaterThan: {
    "kubernetes.Semver.(kubernetes.Semver) bool": (a: SemverValue, b: SemverValue) =>
      compare(a, b) > 0,
  },
  isLessThan: {
    "kubernetes.Semver.(kubernetes.Semver) bool": (a: SemverValue, b: SemverValue) =>
      compare(a, b) < 0,
  },
  compareTo: {
    "kubernetes.Semver.(kubernetes.Semver) int": (a: SemverValue, b: SemverValue) =>
      BigInt(compare(a, b)),
  },
  major: { "kubernetes.Semver.() int": ({ numbers }: SemverValue) => numbers[0] ?? 0n },
  minor: { "kubernetes.Semver.() int": ({ numbers }: SemverValue) => numbers[1] ?? 0n },
  patch: { "kubernetes.Semver.() int": ({ numbers }: SemverValue) => numbers[2] ?? 0n },
};

function semverOf(text: string, lenient: boolean): SemverValue {
  const value = parsed(text, lenient);
  if (value) return value;
  throw new CelError(text === "" ? "Version string empty" : "No Major.Minor.Patch elements found");
}

const NUMBER = "(?:0|[1-9]\\d*)";
const PART = `(?:${NUMBER}|\\d*[A-Za-z-][0-9A-Za-z-]*)`;
const SEMVER = new RegExp(
  `^(${NUMBER})\\.(${NUMBER})\\.(${NUMBER})(?:-(${PART}(?:\\.${PART})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

/** Lenient: "v1", "1.02". */
function parsed(text: string, lenient: boolean): SemverValue | undefined {
  const match = SEMVER.exec(lenient ? normal(text) : text);
  if (!match) return undefined;
  return new SemverValue(match.slice(1, 4).map(BigInt), match[4]?.split(".") ?? []);
}

function normal(text: string): string {
  const [major = "", minor, ...rest] = text.replace(/^v/, "").split(".");
  const parts = [major, minor, rest.length > 0 ? rest.join(".") : undefined];
  // A short version cannot have more than its numbers.
  const last = parts.findLast((part) => part !== undefined) ?? "";
  if (parts.includes(undefined) && /[+-]/.test(last)) return "";
  return parts.map((part) => (part ?? "0").replace(/^0+(?=\d)/, "")).join(".");
}

function compare(a: SemverValue, b: SemverValue): number {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  // A version comes after its prereleases.
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(b.prerelease.length - a.prerelease.length);
  }
  for (const [index, part] of a.prerelease.entries()) {
    const other = b.prerelease[index];
    if (other === undefined) return 1;
    const order = compareParts(part, other);
    if (order !== 0) return order;
  }
  return a.prerelease.length < b.prerelease.length ? -1 : 0;
}

/** Numbers by their value, and before texts. */
function compareParts(a: string, b: string): number {
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left && right) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
  if (left !== right) return left ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
