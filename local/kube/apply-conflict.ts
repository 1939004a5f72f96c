import { ApiError } from "./api-error.ts";
import { compareText, type FieldElement } from "./fields-element.ts";
import { pathsOf, pathText } from "./fields-set.ts";
import type { ManagedSet, Managers } from "./managed-fields.ts";

/** A field that another manager owns with another value. */
export interface ApplyConflict {
  readonly manager: ManagedSet;
  readonly path: readonly FieldElement[];
}

/** Of the sets that each manager would lose; in order of managers, then of fields. */
export function conflictsOf(lost: Managers): ApplyConflict[] {
  const ids = [...lost.keys()].sort(compareText);
  return ids.flatMap((id) => {
    const manager = lost.get(id);
    return manager ? pathsOf(manager.set).map((path) => ({ manager, path })) : [];
  });
}

/** 409 with a cause for each field. */
export function applyConflictError(conflicts: readonly ApplyConflict[]): ApiError {
  const causes = conflicts.map(({ manager, path }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${managerText(manager)}`,
    field: pathText(path),
  }));
  return new ApiError({
    code: 409,
    reason: "Conflict",
    message: messageOf(conflicts),
    details: { causes },
  });
}

function messageOf(conflicts: readonly ApplyConflict[]): string {
  const [first] = conflicts;
  if (first && conflicts.length === 1) {
    const { manager, path } = first;
    return `Apply failed with 1 conflict: conflict with ${managerText(manager)}: ${pathText(path)}`;
  }
  const lines = conflicts.flatMap(({ manager, path }, index) => {
    const line = `- ${pathText(path)}`;
    const previous = conflicts[index - 1]?.manager;
    if (previous && managerText(previous) === managerText(manager)) return [line];
    return [`conflicts with ${managerText(manager)}:`, line];
  });
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function managerText({ manager, operation, subresource, apiVersion }: ManagedSet): string {
  const name = JSON.stringify(manager);
  const full = subresource ? `${name} with subresource ${JSON.stringify(subresource)}` : name;
  return operation === "Update" ? `${full} using ${apiVersion}` : full;
}
