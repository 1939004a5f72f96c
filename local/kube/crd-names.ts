import type { ApiObject } from "./api-object.ts";
import { type DefinitionNames, specOf, statusOf, withCondition } from "./crd-status.ts";

/**
 * A CustomResourceDefinition with the names that no other definition of its group has, and the
 * condition that says whether these are all that it asked for. Names that were accepted once stay.
 *
 * @param group All definitions of the group.
 */
export function acceptNames(
  definition: ApiObject,
  group: readonly ApiObject[],
  nowMs: number,
): ApiObject {
  const { name } = definition.metadata;
  const others = group.filter((each) => each.metadata.name !== name);
  const { names, fault } = compared(
    specOf(definition).names,
    statusOf(definition).acceptedNames,
    others.map((each) => statusOf(each).acceptedNames),
  );
  const status = { ...statusOf(definition), acceptedNames: names };
  const condition = fault
    ? { type: "NamesAccepted", status: "False", ...fault }
    : {
        type: "NamesAccepted",
        status: "True",
        reason: "NoConflicts",
        message: "no conflicts found",
      };
  return withCondition({ ...definition, status }, condition, nowMs);
}

interface Fault {
  readonly reason: string;
  readonly message: string;
}

type Single = "plural" | "singular" | "kind" | "listKind";

/** The names that can be accepted, and the last fault: the API server tells one alone. */
function compared(
  asked: DefinitionNames,
  accepted: DefinitionNames,
  others: readonly DefinitionNames[],
): { readonly names: DefinitionNames; readonly fault?: Fault } {
  const resources = new Set(
    others.flatMap(({ plural, singular, shortNames = [] }) => [plural, singular, ...shortNames]),
  );
  const kinds = new Set(others.flatMap(({ kind, listKind }) => [kind, listKind]));
  const faults: Fault[] = [];
  const single = (key: Single, used: ReadonlySet<string | undefined>, reason: string) => {
    const name = asked[key];
    if (name === accepted[key] || !used.has(name)) return { [key]: name };
    faults.push({ reason, message: inUse(name) });
    return accepted[key] === undefined ? {} : { [key]: accepted[key] };
  };
  const names = {
    plural: accepted.plural,
    kind: accepted.kind,
    ...single("plural", resources, "PluralConflict"),
    ...single("singular", resources, "SingularConflict"),
    ...shortNames(asked, accepted, { used: resources, faults }),
    ...single("kind", kinds, "KindConflict"),
    ...single("listKind", kinds, "ListKindConflict"),
    ...(asked.categories && { categories: asked.categories }),
  };
  const fault = faults.at(-1);
  return { names, ...(fault && { fault }) };
}

function shortNames(
  asked: DefinitionNames,
  accepted: DefinitionNames,
  { used, faults }: { readonly used: ReadonlySet<string | undefined>; readonly faults: Fault[] },
): Pick<DefinitionNames, "shortNames"> {
  const { shortNames: wanted = [] } = asked;
  const { shortNames: had = [] } = accepted;
  const taken = wanted.filter((name) => !had.includes(name) && used.has(name)).map(inUse);
  if (taken.length === 0) return wanted.length > 0 ? { shortNames: wanted } : {};
  const message = taken.length === 1 ? String(taken[0]) : `[${taken.join(", ")}]`;
  faults.push({ reason: "ShortNamesConflict", message });
  return had.length > 0 ? { shortNames: had } : {};
}

function inUse(name: string | undefined): string {
  return `${JSON.stringify(name ?? "")} is already in use`;
}
