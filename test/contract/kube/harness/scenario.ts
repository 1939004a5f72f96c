import type { Api } from "./api.ts";

/** One story told to a server, in a namespace of its own. */
export interface Scenario {
  /** Unique in its file. */
  readonly name: string;
  readonly tell: (api: Api) => Promise<void>;
}

/**
 * A scenario for the `scenarios` that a file of test/contract/kube exports. All that it does not send
 * through `api.quiet` is compared with the recording.
 */
export function scenario(name: string, tell: (api: Api) => Promise<void>): Scenario {
  return { name, tell };
}
