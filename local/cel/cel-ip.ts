import { isIPv4, isIPv6 } from "node:net";
import type { CelLibrary } from "./cel-library.ts";
import { type CelType, readType } from "./cel-type.ts";
import { CelError, Opaque } from "./cel-value.ts";

export class IpValue extends Opaque {
  override readonly type: CelType = readType("net.IP");
  readonly family: 4 | 6;
  readonly bits: bigint;

  constructor(family: 4 | 6, bits: bigint) {
    super();
    this.family = family;
    this.bits = bits;
  }

  override equals(other: Opaque): boolean {
    return other instanceof IpValue && other.family === this.family && other.bits === this.bits;
  }
}

/** Reads an address. Throws a CelError for none, with a zone, and for IPv4 in IPv6. */
export function ipOf(text: string): IpValue {
  if (text.includes("%") && isIPv6(text)) {
    throw new CelError(`IP address "${text}" with zone value is not allowed`);
  }
  if (isIPv4(text)) return new IpValue(4, joined(text.split("."), 8n, 10));
  if (!isIPv6(text)) {
    throw new CelError(
      `IP Address "${text}" parse error during conversion from string: ParseAddr("${text}"): unable to parse IP`,
    );
  }
  const bits = joined(ipv6Groups(text), 16n, 16);
  if (bits >> 32n === 0xffffn) {
    throw new CelError(`IPv4-mapped IPv6 address "${text}" is not allowed`);
  }
  return new IpValue(6, bits);
}

function joined(parts: readonly string[], width: bigint, radix: number): bigint {
  return parts.reduce((all, part) => (all << width) | BigInt(Number.parseInt(part, radix)), 0n);
}

function ipv6Groups(text: string): readonly string[] {
  const plain = text.replace(/[\d.]+\.[\d.]+$/, (ipv4) => {
    const bits = joined(ipv4.split("."), 8n, 10);
    return `${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
  });
  const [before = "", after] = plain.split("::");
  const groups = (part: string) => part.split(":").filter((each) => each !== "");
  if (after === undefined) return groups(before);
  const [head, tail] = [groups(before), groups(after)];
  return [...head, ...Array<string>(8 - head.length - tail.length).fill("0"), ...tail];
}

/** The canonical text: of IPv6 the longest run of zeros is left out. */
export function ipText({ family, bits }: IpValue): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((at) => (bits >> at) & 255n).join(".");
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((bits >> BigInt(16 * (7 - index))) & 0xffffn).toString(16),
  );
  const runs = [...groups.join(":").matchAll(/(?<![0-9a-f])0(?::0)+(?![0-9a-f])/g)];
  const [longest] = runs.toSorted((a, b) => b[0].length - a[0].length);
  if (!longest) return groups.join(":");
  const text = groups.join(":");
  const [before, after] = [
    text.slice(0, longest.index),
    text.slice(longest.index + longest[0].length),
  ];
  return `${before.replace(/:$/, "")}::${after.replace(/^:/, "")}`;
}

function isIp(text: string): boolean {
  try {
    return ipOf(text) instanceof IpValue;
  } catch {
    return false;
  }
}

/** Whether the first bits of an address are those. */
function begins({ family, bits }: IpValue, of: 4 | 6, width: number, prefix: bigint): boolean {
  return family === of && bits >> BigInt((of === 4 ? 32 : 128) - width) === prefix;
}

const isUnspecified = ({ bits }: IpValue) => bits === 0n;
const isLoopback = (ip: IpValue) => begins(ip, 4, 8, 127n) || begins(ip, 6, 128, 1n);
const isMulticast = (ip: IpValue) => begins(ip, 4, 4, 14n) || begins(ip, 6, 8, 0xffn);
const isLinkLocal = (ip: IpValue) => begins(ip, 4, 16, 0xa9fen) || begins(ip, 6, 10, 0x3fan);

/** https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-ip-address-library */
export const IPS: CelLibrary = {
  ip: { "(string) net.IP": ipOf },
  isIP: { "(string) bool": isIp },
  string: { "(net.IP) string": ipText },
  "ip.isCanonical": { "(string) bool": (text: string) => ipText(ipOf(text)) === text },
  family: { "net.IP.() int": ({ family }: IpValue) => BigInt(family) },
  isUnspecified: { "net.IP.() bool": isUnspecified },
  isLoopback: { "net.IP.() bool": isLoopback },
  isLinkLocalMulticast: {
    "net.IP.() bool": (ip: IpValue) =>
      begins(ip, 4, 24, 0xe00000n) || (isMulticast(ip) && ((ip.bits >> 112n) & 0xfn) === 2n),
  },
  isLinkLocalUnicast: { "net.IP.() bool": isLinkLocal },
  isGlobalUnicast: {
    "net.IP.() bool": (ip: IpValue) => {
      const broadcast = begins(ip, 4, 32, 0xffffffffn);
      return (
        ![isUnspecified, isLoopback, isMulticast, isLinkLocal].some((is) => is(ip)) && !broadcast
      );
    },
  },
};
