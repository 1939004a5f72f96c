import type { KubeRequest, Transport } from "../kube/wire.ts";
import { differenceOf } from "./object-difference.ts";
import { observedTransport } from "./observed-transport.ts";
import { writes } from "./request-target.ts";
import { callOf } from "./write-probe.ts";

interface Written {
  times: number;
  /** Of the last time; found out when they are asked for. */
  fields: () => readonly string[];
}

/** Who wrote what since the last `clear`: shows what keeps a controller awake. */
export class WriteJournal {
  readonly #objects = new Map<string, unknown>();
  readonly #written = new Map<string, Written>();
  #count = 0;

  /** Writes so far that changed something. */
  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#written.clear();
    this.#objects.clear();
  }

  /** The writes that happened most often, the most frequent first. */
  most(limit: number): readonly string[] {
    return [...this.#written]
      .sort(([, one], [, other]) => other.times - one.times)
      .slice(0, limit)
      .map(([what, { times, fields }]) => `${what} (${times} times${listed(fields())})`);
  }

  /** The same transport, of which the journal learns. */
  over(transport: Transport, name: string): Transport {
    return observedTransport(transport, async (request) => {
      const answer = await transport.request(request);
      if (writes(request) && answer.status < 300) this.#note(request, answer.body, name);
      return answer;
    });
  }

  #note(request: KubeRequest, body: unknown, name: string): void {
    const before = this.#objects.get(request.path);
    this.#objects.set(request.path, body);
    if (before !== undefined && versionOf(before) === versionOf(body)) return;
    this.#count += 1;
    const what = `${callOf(request)} by ${request.query?.fieldManager ?? name}`;
    const { times } = this.#written.get(what) ?? { times: 0 };
    const fields = () => (before === undefined ? [] : differenceOf(before, body));
    this.#written.set(what, { times: times + 1, fields });
  }
}

function versionOf(body: unknown): unknown {
  return (body as { metadata?: { resourceVersion?: string } }).metadata?.resourceVersion;
}

function listed(fields: readonly string[]): string {
  return fields.length === 0 ? "" : `, last ${fields.join(", ")}`;
}
