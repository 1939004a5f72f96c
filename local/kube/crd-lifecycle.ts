import type { ApiObject } from "./api-object.ts";
import { timeText } from "./metadata-rules.ts";

/** A new CustomResourceDefinition with the status that says that it is served. */
export function established(definition: ApiObject, nowMs: number): ApiObject {
  const spec = definition["spec"] as {
    readonly names: Readonly<Record<string, unknown>>;
    readonly versions: readonly { readonly name: string; readonly storage: boolean }[];
  };
  const lastTransitionTime = timeText(nowMs);
  const condition = (type: string, reason: string, message: string) => ({
    lastTransitionTime,
    message,
    reason,
    status: "True",
    type,
  });
  return {
    ...definition,
    status: {
      acceptedNames: spec.names,
      conditions: [
        condition("NamesAccepted", "NoConflicts", "no conflicts found"),
        condition("Established", "InitialNamesAccepted", "the initial names have been accepted"),
      ],
      storedVersions: spec.versions.filter(({ storage }) => storage).map(({ name }) => name),
    },
  };
}
