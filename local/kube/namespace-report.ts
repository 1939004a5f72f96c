import type { ApiObject } from "./api-object.ts";
import { trackUpdate } from "./apply-update.ts";
import { timeText } from "./metadata-rules.ts";
import type { ServedResource } from "./served-resource.ts";

/** What is left in a namespace that terminates. */
export interface Remains {
  /** Objects by "plural.group". */
  readonly objects: ReadonlyMap<string, number>;
  /** Objects by the finalizers that hold them. */
  readonly finalizers: ReadonlyMap<string, number>;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/**
 * A namespace whose status tells why it is still there, in the words of the namespace controller.
 * The same object where it says so already.
 */
export function reported(
  namespace: ApiObject,
  remains: Remains,
  { resource, nowMs }: { readonly resource: ServedResource; readonly nowMs: number },
): ApiObject {
  const status = (namespace.status ?? {}) as { readonly conditions?: readonly Condition[] };
  const conditions = remainsTold(status.conditions, remains, nowMs);
  if (!conditions) return namespace;
  return trackUpdate({
    before: namespace,
    after: { ...namespace, status: { ...status, conditions } },
    manager: "kube-controller-manager",
    resource,
    subresource: "status",
    nowMs,
  });
}

/** The conditions that tell it; undefined where those from before say so already. */
export function remainsTold(
  conditions: readonly Condition[] | undefined,
  remains: Remains,
  nowMs: number,
): readonly object[] | undefined {
  const before = new Map((conditions ?? []).map((each) => [each.type, each]));
  const told = conditionsOf(remains);
  if (told.every((each) => before.get(each.type)?.message === each.message)) return undefined;
  return told.map((each) => {
    const { status: was, lastTransitionTime } = before.get(each.type) ?? {};
    const kept = was === each.status ? lastTransitionTime : undefined;
    return { ...each, lastTransitionTime: kept ?? timeText(nowMs) };
  });
}

function conditionsOf({ objects, finalizers }: Remains): readonly Condition[] {
  const ok = (type: string, reason: string, message: string) => {
    return { type, status: "False", reason, message };
  };
  return [
    ok(
      "NamespaceDeletionDiscoveryFailure",
      "ResourcesDiscovered",
      "All resources successfully discovered",
    ),
    ok(
      "NamespaceDeletionGroupVersionParsingFailure",
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ),
    ok(
      "NamespaceDeletionContentFailure",
      "ContentDeleted",
      "All content successfully deleted, may be waiting on finalization",
    ),
    objects.size === 0
      ? ok("NamespaceContentRemaining", "ContentRemoved", "All content successfully removed")
      : {
          type: "NamespaceContentRemaining",
          status: "True",
          reason: "SomeResourcesRemain",
          message: `Some resources are remaining: ${listed(objects, "has")}`,
        },
    finalizers.size === 0
      ? ok(
          "NamespaceFinalizersRemaining",
          "ContentHasNoFinalizers",
          "All content-preserving finalizers finished",
        )
      : {
          type: "NamespaceFinalizersRemaining",
          status: "True",
          reason: "SomeFinalizersRemain",
          message: `Some content in the namespace has finalizers remaining: ${listed(finalizers, "in")}`,
        },
  ];
}

function listed(counts: ReadonlyMap<string, number>, word: string): string {
  const texts = [...counts].map(([name, count]) => `${name} ${word} ${count} resource instances`);
  return texts.sort().join(", ");
}
