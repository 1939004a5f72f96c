import { Definition } from "../local/definition-kind.ts";
import type { Clock } from "../shared/clock.ts";
import type { KubeClient } from "../shared/kube/kube-client.ts";

/** A server takes a second or so; names that another definition has are refused at once. */
const ESTABLISH_MS = 60_000;
const LOOK_MS = 250;

/**
 * Waits until the API server serves a definition. Rejects with the conditions that it has instead,
 * at once where its names are taken, else after a minute.
 */
export async function established(
  { client, clock }: { readonly client: KubeClient; readonly clock: Clock },
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const endMs = clock.monotonicMs() + ESTABLISH_MS;
  for (;;) {
    const found = await client.get(Definition, { namespace: "", name }, { signal });
    const fault = faultOf(found);
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
  const advice = "look at the log of the API server, and run it again";
  return { expected: "Established=True", got: told("Established"), advice, final: false };
}
