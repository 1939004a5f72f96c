import { createHash } from "node:crypto";
import type { ApiRequest } from "../../local/kube/api-request.ts";
import { createKubeApi } from "../../local/kube/kube-api.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import type { Peer, PeerRequest } from "../contract/kube/harness/peer.ts";

/** Our API server in this process, on a virtual clock, as the contract talks to servers. */
export function memoryPeer(): Peer {
  const clock = new VirtualClock();
  let count = 0;
  const next = () => {
    count += 1;
    return createHash("sha256").update(String(count)).digest("hex");
  };
  const api = createKubeApi({
    clock,
    accounts: false, // The recorded server has no controller for them.
    random: () => Number.parseInt(next().slice(0, 12), 16) / 2 ** 48,
    newUid: () => next().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5"),
  });
  return {
    request: async (request) => {
      const { signal } = new AbortController();
      const { status, headers, body } = await api.handle(apiRequestOf(request, signal));
      if (typeof body === "string") return { status, headers, text: body };
      const lines: string[] = [];
      for await (const line of body) lines.push(line);
      return { status, headers, text: lines.join("\n") };
    },
    stream: async (request) => {
      const closing = new AbortController();
      const answer = await api.handle(apiRequestOf(request, closing.signal));
      const { status, headers, body } = answer;
      const lines = typeof body === "string" ? linesOf(body) : body;
      return { status, headers, lines, close: () => closing.abort() };
    },
    pause: () => clock.advance(50),
    close: async () => api.close(),
  };
}

async function* linesOf(text: string): AsyncIterable<string> {
  yield text;
}

function apiRequestOf(
  { method, path, headers, body = "" }: PeerRequest,
  signal: AbortSignal,
): ApiRequest {
  const [at = "", query] = path.split("?"); // Not by URL, which takes "/a/.." for "/".
  return { method, path: at, query: new URLSearchParams(query), headers, body, signal };
}
