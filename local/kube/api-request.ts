/** One HTTP request to the API server, however it came. */
export interface ApiRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** What a request is answered. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, or plain text where the headers say so. */
  readonly body: string | AsyncIterable<string>;
}

/** What a path of the API names. */
export interface ResourcePath {
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
  /** "" where the path names none: cluster-scoped, or all namespaces. */
  readonly namespace: string;
  readonly plural: string;
  /** Absent for a collection. */
  readonly name?: string;
  readonly subresource?: string;
}

/**
 * Reads "/api/v1/..." and "/apis/GROUP/VERSION/..."; undefined for paths that name no resource. The
 * namespace of a Namespace is its own name, as in the API server.
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris
 */
export function resourcePathOf(path: string): ResourcePath | undefined {
  const parts = partsOf(path);
  const [root, ...rest] = parts;
  if (root === "api") return inGroup("", rest);
  if (root === "apis") return inGroup(rest[0] ?? "", rest.slice(1));
  return undefined;
}

/** The parts of a path, decoded before it is split. A part that cannot be decoded stays as it is. */
export function partsOf(path: string): readonly string[] {
  return path
    .split("/")
    .flatMap((part) => {
      try {
        return decodeURIComponent(part).split("/");
      } catch {
        return [part];
      }
    })
    .filter((part) => part !== "");
}

function inGroup(group: string, [version, ...rest]: readonly string[]): ResourcePath | undefined {
  if (version === undefined || rest.length === 0) return undefined;
  const inNamespace = rest[0] === "namespaces" && rest.length > 2 && !ofNamespace(rest);
  const [plural = "", name, subresource, ...more] = inNamespace ? rest.slice(2) : rest;
  if (more.length > 0) return undefined;
  const namespace = inNamespace ? (rest[1] ?? "") : plural === "namespaces" ? (name ?? "") : "";
  return {
    group,
    version,
    namespace,
    plural,
    ...(name !== undefined && { name }),
    ...(subresource !== undefined && { subresource }),
  };
}

/** "namespaces/NAME/status" is a part of the Namespace, not a collection in it. */
function ofNamespace([, , third, ...more]: readonly string[]): boolean {
  return more.length === 0 && (third === "status" || third === "finalize");
}
