import { matchesFormat } from "../kube/schema-formats.ts";
import type { CelLibrary } from "./cel-library.ts";
import { type CelType, readType } from "./cel-type.ts";
import { CelError, type CelKey, type CelValue, Opaque } from "./cel-value.ts";

class UrlValue extends Opaque {
  override readonly type: CelType = readType("kubernetes.URL");
  readonly text: string;
  readonly scheme: string;
  /** With its port, without a user. */
  readonly host: string;
  readonly path: string;
  readonly query: string;

  constructor(text: string) {
    super();
    const match = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/.exec(
      text,
    );
    const [, scheme = "", authority = "", path = "", query = ""] = match ?? [];
    this.text = text;
    this.scheme = scheme.toLowerCase();
    this.host = authority.replace(/^.*@/, "");
    this.path = path;
    this.query = query;
  }

  override equals(other: Opaque): boolean {
    return other instanceof UrlValue && other.text === this.text;
  }
}

/** https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-url-library */
export const URLS: CelLibrary = {
  url: { "(string) kubernetes.URL": urlOf },
  isURL: { "(string) bool": (text: string) => matchesFormat("uri", text) },
  getScheme: { "kubernetes.URL.() string": ({ scheme }: UrlValue) => scheme },
  getHost: { "kubernetes.URL.() string": ({ host }: UrlValue) => host },
  getHostname: {
    "kubernetes.URL.() string": ({ host }: UrlValue) =>
      host.replace(/:\d*$/, "").replace(/^\[(.*)\]$/, "$1"),
  },
  getPort: {
    "kubernetes.URL.() string": ({ host }: UrlValue) => /:(\d*)$/.exec(host)?.[1] ?? "",
  },
  getEscapedPath: { "kubernetes.URL.() string": ({ path }: UrlValue) => escapedPath(path) },
  getQuery: {
    "kubernetes.URL.() map(string, list(string))": ({ query }: UrlValue) => queryOf(query),
  },
};

function urlOf(text: string): UrlValue {
  if (matchesFormat("uri", text)) return new UrlValue(text);
  throw new CelError(
    `URL parse error during conversion from string: parse "${text}": invalid URI for request`,
  );
}

/** A path that is escaped stays as it is. */
function escapedPath(path: string): string {
  return path.replace(/%(?![0-9A-Fa-f]{2})|[^%A-Za-z0-9\-._~!$&'()*+,;=:@/]/gu, encodeURIComponent);
}

/** Pairs with a semicolon are left out, as in Go. */
function queryOf(query: string): ReadonlyMap<CelKey, CelValue> {
  const map = new Map<CelKey, string[]>();
  for (const pair of query.split("&")) {
    if (pair === "" || pair.includes(";")) continue;
    const [key = "", value] = [...new URLSearchParams(pair)][0] ?? [];
    map.set(key, [...(map.get(key) ?? []), value ?? ""]);
  }
  return map;
}
