import type { Clock } from "../clock.ts";
import type { KubeClient } from "../kube/kube-client.ts";
import type { Transport } from "../kube/wire.ts";
import { Definition } from "./definition-kind.ts";

/** A server takes a second or so; names that another definition has are refused at once. */
const ESTABLISH_MS = 60_000;
const LOOK_MS = 250;
const AGAIN = "look at the log of the API server, and run it again";

/** What it is waited with. */
export interface EstablishOptions {
  readonly client: KubeClient;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Waits until the API server serves a definition: an established one is found a moment later. Rejects
 * with the conditions that it has instead, at once where its names are taken, else after a minute.
 */
export async function established(options: EstablishOptions, name: string): Promise<void> {
  const { client, clock, signal } = options;
  const endMs = clock.monotonicMs() + ESTABLISH_MS;
  for (;;) {
    const found = await client.get(Definition, { namespace: "", name }, { signal });
    const fault = faultOf(found) ?? (found && (await unserved(options, found)));
    if (fault === undefined) return;
    if (fault.final || clock.monotonicMs() >= endMs) {
      throw new Error(
        `cannot install ${name}: expected condition ${fault.expected}, got ${fault.got}; ${fault.advice}`,
      );
    }
    await clock.sleep(LOOK_MS, signal);
    signal.throwIfAborted();
  }
}

/** Whether objects of one of its served versions cannot be asked for yet. That one may not list them does not matter. */
async function unserved(
  { transport, signal }: EstablishOptions,
  { spec }: Definition,
): Promise<Fault | undefined> {
  for (const { name } of spec.versions.filter(({ served }) => served)) {
    const path = `/apis/${spec.group}/${name}/${spec.names.plural}`;
    const query = { limit: "1" };
    const { status } = await transport.request({ method: "GET", path, query, signal });
    if (status === 404) {
      return {
        expected: "Established=True to make it served",
        got: `404 of ${path}`,
        advice: AGAIN,
        final: false,
      };
    }
  }
  return undefined;
}

interface Fault {
  readonly expected: string;
  readonly got: string;
  readonly advice: string;
  /** Waiting does not help. */
  readonly final: boolean;
}

function faultOf(found: Definition | undefined): Fault | undefined {
  const got = (type: string) => found?.status?.conditions?.find((each) => each.type === type);
  const told = (type: string) => {
    const condition = got(type);
    if (!condition) return found ? "none" : "no definition";
    return [`${type}=${condition.status}`, condition.reason, condition.message]
      .filter(Boolean)
      .join(": ");
  };
  const names = got("NamesAccepted");
  if (names?.status === "False") {
    const advice =
      "another definition of the group has these names: choose others, or remove that one";
    return { expected: "NamesAccepted=True", got: told("NamesAccepted"), advice, final: true };
  }
  if (got("NonStructuralSchema")?.status === "True") {
    const advice = "mend the schema";
    return {
      expected: "no NonStructuralSchema",
      got: told("NonStructuralSchema"),
      advice,
      final: true,
    };
  }
  if (got("Established")?.status === "True" && names?.status === "True") return undefined;
  return { expected: "Established=True", got: told("Established"), advice: AGAIN, final: false };
}
