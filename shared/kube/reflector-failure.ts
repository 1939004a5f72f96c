import { KubeError } from "./kube-error.ts";
import { type ReflectorSource, sourceText } from "./reflector-source.ts";
import { BrokenWatchError, retryAfterMsOf } from "./watch-stream.ts";

/** What a failed list or watch means for the next try. */
export interface Failure {
  /** The version is of no use any more: list again. */
  readonly stale: boolean;
  /** The version may be what the server stumbles over: list again when it goes on like this. */
  readonly doubtful: boolean;
  /** Known why there are no objects: "403 ...", "404 ...". */
  readonly unavailable?: string;
  readonly retryAfterMs: number;
}

/** Reads a failure. No failure is final. */
export function failureOf(
  error: unknown,
  verb: "list" | "watch",
  source: ReflectorSource,
): Failure {
  const status = error instanceof KubeError ? error.status : 0;
  const unavailable = unavailableOf(error, verb, source);
  return {
    // After a 404 the kind may come back with other objects, whose changes no watch from here tells.
    stale: status === 410 || status === 404,
    // 504: the version is ahead of the server, as after a restore from a backup. It may catch up.
    doubtful: error instanceof BrokenWatchError || (verb === "watch" && status === 504),
    ...(unavailable === undefined ? {} : { unavailable }),
    retryAfterMs: retryAfterMsOf(error),
  };
}

function unavailableOf(
  error: unknown,
  verb: "list" | "watch",
  source: ReflectorSource,
): string | undefined {
  if (!(error instanceof KubeError)) return undefined;
  const what = sourceText(source);
  const { apiVersion } = source.kind;
  if (error.status === 401) {
    return `401 unauthorized: cannot ${verb} ${what}: the API server does not know who asks`;
  }
  if (error.status === 403) {
    return `403 forbidden: cannot ${verb} ${what}: the role needs the verbs list and watch for it`;
  }
  if (error.status === 404) {
    return `404 not served: the API server has no ${what} in ${apiVersion}; check plural and version, and that its CustomResourceDefinition is there`;
  }
  return undefined;
}
