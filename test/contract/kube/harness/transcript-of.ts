import { randomBytes } from "node:crypto";
import { createApi } from "./api.ts";
import { createMask } from "./mask.ts";
import type { Peer } from "./peer.ts";
import type { Scenario } from "./scenario.ts";
import type { Exchange } from "./transcript.ts";

/** Runs a scenario in a new namespace; resolves to what the server answered, masked. */
export async function transcriptOf({ tell }: Scenario, peer: Peer): Promise<readonly Exchange[]> {
  const namespace = `contract-${randomBytes(4).toString("hex")}`;
  const exchanges: Exchange[] = [];
  const note = (exchange: Exchange) => void exchanges.push(exchange);
  const api = createApi({ peer, namespace, mask: createMask(namespace), note });
  const made = await api.quiet.post("/api/v1/namespaces", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace },
  });
  if (made.status !== 201) {
    throw new Error(`making namespace ${namespace}: got ${JSON.stringify(made.body)}`);
  }
  await tell(api);
  return exchanges;
}
