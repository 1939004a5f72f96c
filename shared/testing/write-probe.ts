import type { KubeRequest, KubeResponse, Transport } from "../kube/wire.ts";
import { differenceOf } from "./object-difference.ts";
import { observedTransport } from "./observed-transport.ts";
import { targetOf, writes } from "./request-target.ts";

/** A write that would have changed something. */
export interface ProbedWrite {
  /** "apply deployments default/web", "update status of websites default/web". */
  readonly call: string;
  /** The fields that would have changed; none where an object would have come or gone. */
  readonly fields: readonly string[];
}

/**
 * The same transport, on which no write happens: each is sent as a dry run, whose answer is given
 * back, and told of where it would have changed something. Events do not count.
 */
export function createWriteProbe(
  transport: Transport,
  told: (write: ProbedWrite) => void,
): Transport {
  return observedTransport(transport, async (request) => {
    if (!writes(request)) return await transport.request(request);
    const before = await objectAt(transport, request);
    const dry = { ...request, query: { ...request.query, dryRun: "All" } };
    const answer = await transport.request(dry);
    const write = answer.status < 300 && changeOf(request, before, answer);
    if (write) told(write);
    return answer;
  });
}

/** "apply deployments default/web"; what a request does, for people. */
export function callOf(request: KubeRequest): string {
  const target = targetOf(request);
  if (!target) return `${request.method} ${request.path}`;
  const { verb, plural, key, subresource } = target;
  const body = request.body as { metadata?: { name?: string } } | undefined;
  const name = key.name || body?.metadata?.name || "(generated name)";
  const part = subresource === undefined ? "" : `${subresource} of `;
  return `${verb} ${part}${plural} ${key.namespace === "" ? name : `${key.namespace}/${name}`}`;
}

async function objectAt(transport: Transport, request: KubeRequest): Promise<unknown> {
  if (request.method === "POST") return undefined;
  const { status, body } = await transport.request({ method: "GET", path: request.path });
  return status === 200 ? body : undefined;
}

function changeOf(
  request: KubeRequest,
  before: unknown,
  { body }: KubeResponse,
): ProbedWrite | undefined {
  const target = targetOf(request);
  if (target?.plural === "events") return undefined;
  const call = callOf(request);
  if (request.method === "DELETE") return before === undefined ? undefined : { call, fields: [] };
  if (before === undefined) return { call, fields: [] };
  const fields = differenceOf(before, body);
  return fields.length > 0 ? { call, fields } : undefined;
}
