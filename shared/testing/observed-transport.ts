import type { KubeRequest, KubeResponse, Transport } from "../kube/wire.ts";

/** The same transport, whose requests go through a function. Streams do not. */
export function observedTransport(
  transport: Transport,
  request: (request: KubeRequest) => Promise<KubeResponse>,
): Transport {
  return {
    request,
    stream: (given) => transport.stream(given),
    close: () => transport.close(),
  };
}
