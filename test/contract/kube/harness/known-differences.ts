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
    file: "cel-definitions",
    scenario: "expressions that cannot be read",
    exchanges: [1, 2, 3, 4, 5, 6, 7, 8],
    reason: "what is wrong with the grammar of a rule is said in the words of the parser",
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
  return exchanges
    .map((exchange, index) => (known.includes(index + 1) ? withoutTexts(exchange) : exchange))
    .map((exchange) => ({ ...exchange, answer: withoutDocumentation(exchange.answer) }));
}

/** How the API server begins what it says of a column that a definition does not describe. */
const POINTING = "Custom resource definition column";

/** Tables quote the documentation of the types' fields in kube-apiserver, which ours leaves out. */
function withoutDocumentation(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDocumentation);
  if (typeof value !== "object" || value === null) return value;
  const { columnDefinitions: columns, ...rest } = value as Record<string, unknown>;
  const entries = Object.entries(rest).map(([key, each]) => [key, withoutDocumentation(each)]);
  const whole = Object.fromEntries(entries) as object;
  if (!Array.isArray(columns))
    return columns === undefined ? whole : { ...whole, columnDefinitions: columns };
  const bare = (columns as readonly { readonly description: string }[]).map((column) => {
    const { description, ...named } = column;
    return description.startsWith(POINTING) ? column : named;
  });
  return { ...whole, columnDefinitions: bare };
}

function withoutTexts(exchange: Exchange): Exchange {
  const answer = exchange.answer as { readonly details?: { readonly causes?: readonly object[] } };
  if (exchange.status < 400 || exchange.status > 499) return exchange;
  const causes = answer.details?.causes?.map((cause) => ({ ...cause, message: "<known>" }));
  const details = answer.details && { ...answer.details, ...(causes && { causes }) };
  return { ...exchange, answer: { ...answer, message: "<known>", ...(details && { details }) } };
}
