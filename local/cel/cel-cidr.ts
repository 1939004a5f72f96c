import { IpValue, ipOf, ipText } from "./cel-ip.ts";
import type { CelLibrary } from "./cel-library.ts";
import { type CelType, readType } from "./cel-type.ts";
import { CelError, Opaque } from "./cel-value.ts";

class CidrValue extends Opaque {
  override readonly type: CelType = readType("net.CIDR");
  readonly ip: IpValue;
  readonly length: number;

  constructor(ip: IpValue, length: number) {
    super();
    this.ip = ip;
    this.length = length;
  }

  override equals(other: Opaque): boolean {
    return other instanceof CidrValue && this.length === other.length && this.ip.equals(other.ip);
  }

  contains({ family, bits }: IpValue): boolean {
    const rest = BigInt(sizeOf(this.ip) - this.length);
    return family === this.ip.family && bits >> rest === this.ip.bits >> rest;
  }

  containsAll({ ip, length }: CidrValue): boolean {
    return this.length <= length && this.contains(ip);
  }
}

function sizeOf({ family }: IpValue): number {
  return family === 4 ? 32 : 128;
}

function cidrOf(text: string): CidrValue {
  const [, address = "", bits = ""] = /^(.*)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const why = "network address parse error during conversion from string: ";
  const fault = new CelError(
    `${why}${why}netip.ParsePrefix("${text}"): ${text.includes("/") ? "unable to parse" : "no '/'"}`,
  );
  if (address === "") throw fault;
  let ip: IpValue;
  try {
    ip = ipOf(address);
  } catch {
    throw fault;
  }
  if (Number(bits) > sizeOf(ip)) throw fault;
  return new CidrValue(ip, Number(bits));
}

function isCidr(text: string): boolean {
  try {
    return cidrOf(text) instanceof CidrValue;
  } catch {
    return false;
  }
}

/** https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-cidr-library */
export const CIDRS: CelLibrary = {
  cidr: { "(string) net.CIDR": cidrOf },
  isCIDR: { "(string) bool": isCidr },
  string: {
    "(net.CIDR) string": ({ ip, length }: CidrValue) => `${ipText(ip)}/${length}`,
  },
  containsIP: {
    "net.CIDR.(string) bool": (cidr: CidrValue, text: string) => cidr.contains(ipOf(text)),
    "net.CIDR.(net.IP) bool": (cidr: CidrValue, ip: IpValue) => cidr.contains(ip),
  },
  containsCIDR: {
    "net.CIDR.(string) bool": (cidr: CidrValue, text: string) => cidr.containsAll(cidrOf(text)),
    "net.CIDR.(net.CIDR) bool": (cidr: CidrValue, other: CidrValue) => cidr.containsAll(other),
  },
  ip: { "net.CIDR.() net.IP": ({ ip }: CidrValue) => ip },
  prefixLength: { "net.CIDR.() int": ({ length }: CidrValue) => BigInt(length) },
  masked: {
    "net.CIDR.() net.CIDR": ({ ip, length }: CidrValue) => {
      const rest = BigInt(sizeOf(ip) - length);
      return new CidrValue(new IpValue(ip.family, (ip.bits >> rest) << rest), length);
    },
  },
};
