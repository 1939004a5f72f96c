import type { Exchange } from "./transcript.ts";

/** An answer of ours whose text is not kube-apiserver's, for a reason that stays. */
export interface KnownDifference {
  /** File of the scenario, without ".ts". */
  readonly file: string;
  readonly scenario: string;
  /** Exchanges of the scenario, counted from 1. */
  readonly exchanges: readonly number[];
  readonly reason: string;
}

/** Only texts of refusals may differ: status, reason, and what the causes name are compared. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    file: "apply-rules",
    scenario: "an apply whose body is none",
    exchanges: [4],
    reason: "what is wrong with YAML is said in the words of the YAML parser",
  },
  {
    file: "immutable",
    scenario: "a PersistentVolumeClaim's spec",
    exchanges: [1, 2],
    reason: "the text goes on with a diff of Go structs of the API server's own",
  },
  {
    file: "immutable",
    scenario: "a Pod's spec",
    exchanges: [3, 4],
    reason: "the text goes on with a diff of Go structs of the API server's own",
  },
];

/** A transcript in which the texts of known differences are left out. */
export function withoutKnown(
  file: string,
  scenario: string,
  exchanges: readonly Exchange[],
): readonly Exchange[] {
  const known = KNOWN_DIFFERENCES.filter(
    (each) => each.file === file && each.scenario === scenario,
  ).flatMap((each) => each.exchanges);
  return exchanges.map((exchange, index) =>
    known.includes(index + 1) ? withoutTexts(exchange) : exchange,
  );
}

function withoutTexts(exchange: Exchange): Exchange {
  const answer = exchange.answer as { readonly details?: { readonly causes?: readonly object[] } };
  if (exchange.status < 400 || exchange.status > 499) return exchange;
  const causes = answer.details?.causes?.map((cause) => ({ ...cause, message: "<known>" }));
  const details = answer.details && { ...answer.details, ...(causes && { causes }) };
  return { ...exchange, answer: { ...answer, message: "<known>", ...(details && { details }) } };
}
