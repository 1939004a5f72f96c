import type { Logger } from "../shared/api/log.ts";
import type { Clock } from "../shared/clock.ts";
import { kubeErrorOf } from "../shared/kube/kube-error.ts";
import type { Transport } from "../shared/kube/wire.ts";
import { outage } from "./outage.ts";

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/**
 * Resolves to what tells a cluster from others of its name: the uid of its namespace kube-system.
 * Asks until there is an answer; to undefined only when the signal is aborted.
 */
export async function clusterUid(
  transport: Pick<Transport, "request">,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  signal: AbortSignal,
): Promise<string | undefined> {
  const reported = outage({ what: "reading the namespace kube-system", clock, log });
  for (
    let waitMs = FIRST_RETRY_MS;
    !signal.aborted;
    waitMs = Math.min(2 * waitMs, LONGEST_RETRY_MS)
  ) {
    try {
      const uid = await uidOf(transport, signal);
      reported.over();
      return uid;
    } catch (error) {
      // Safe: nothing is led before it is known.
      if (!signal.aborted) reported.failed(error);
      await clock.sleep(waitMs, signal);
    }
  }
  return undefined;
}

async function uidOf(
  { request }: Pick<Transport, "request">,
  signal: AbortSignal,
): Promise<string> {
  const path = "/api/v1/namespaces/kube-system";
  const response = await request({ method: "GET", path, signal });
  if (response.status !== 200) throw kubeErrorOf("get namespace kube-system", response);
  const { metadata } = response.body as { metadata?: { uid?: unknown } };
  if (typeof metadata?.uid === "string" && metadata.uid !== "") return metadata.uid;
  throw new Error("cannot use namespace kube-system: expected a uid, got none");
}
