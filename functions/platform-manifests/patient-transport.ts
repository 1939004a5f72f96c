import type { Logger } from "../../shared/api/log.ts";
import type { Clock } from "../../shared/clock.ts";
import type { KubeRequest, KubeResponse, Transport } from "../../shared/kube/wire.ts";
import { failureCode } from "./failure-code.ts";

/** Access entries are there a while after EKS has said so. */
const SETTLE_MS = 120_000;
/** A control plane that is updated is away for a while. */
const AWAY_MS = 120_000;
/** So long a name may not be known to each resolver. */
const UNNAMED_MS = 15_000;
const AGAIN_MS = 2_000;

/**
 * Tries requests again that fail for what passes: 401 and 403 until `SETTLE_MS` after the first request;
 * 429, 502 to 504 and broken connections until they have lasted `AWAY_MS`. All requests of a deploy may be
 * carried out twice.
 */
export function patientTransport(
  transport: Transport,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Transport {
  const startedMs = clock.monotonicMs();
  const request = async (asked: KubeRequest): Promise<KubeResponse> => {
    const firstMs = clock.monotonicMs();
    for (;;) {
      const met = await answerOf(transport, asked);
      const nowMs = clock.monotonicMs();
      const endMs = refused(met) ? startedMs + SETTLE_MS : firstMs + limitOf(met);
      if (nowMs >= endMs || asked.signal?.aborted) return settled(met);
      log.warn("tried again", { method: asked.method, path: asked.path, got: nameOf(met) });
      await clock.sleep(AGAIN_MS, asked.signal);
    }
  };
  return { request, stream: transport.stream, close: transport.close };
}

type Met = { readonly response: KubeResponse } | { readonly error: unknown };

async function answerOf(transport: Transport, asked: KubeRequest): Promise<Met> {
  try {
    return { response: await transport.request(asked) };
  } catch (error) {
    return { error };
  }
}

function refused(met: Met): boolean {
  return "response" in met && [401, 403].includes(met.response.status);
}

/** How long to try again: 0 for what does not pass. */
function limitOf(met: Met): number {
  if ("error" in met) return failureCode(met.error) === "ENOTFOUND" ? UNNAMED_MS : AWAY_MS;
  return [429, 502, 503, 504].includes(met.response.status) ? AWAY_MS : 0;
}

function settled(met: Met): KubeResponse {
  if ("error" in met) throw met.error;
  return met.response;
}

function nameOf(met: Met): string | number {
  return "error" in met ? (failureCode(met.error) ?? "no answer") : met.response.status;
}
