import type { Controller } from "../shared/api/controller.ts";
import type { Key } from "../shared/api/object.ts";
import type { RequestKey } from "../shared/queue/request.ts";
import type { Place } from "./operate-place.ts";
import { UsageError } from "./usage-error.ts";

/**
 * The key of an object that was named on the command line: without a namespace that of the context,
 * "default" where it names none; "" where the kind is cluster-scoped.
 */
export async function keyOnPlace(
  place: Place,
  controller: Controller,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
): Promise<RequestKey> {
  for (const text of [name, ...(namespace === undefined ? [] : [namespace])]) checkName(text);
  const { cluster } = place;
  const common = { cluster, controller: controller.name, name };
  if (controller.for.scope === "Cluster") return { ...common, namespace: "" };
  return { ...common, namespace: namespace ?? (await contextNamespace(place)) };
}

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#path-segment-names */
function checkName(text: string): void {
  if (text !== "" && text !== "." && text !== ".." && !/[/%]/.test(text)) return;
  throw new UsageError(
    `cannot read the name of an object: expected one without "/" and "%", got "${text}"; write KIND NAME -n NAMESPACE`,
  );
}

/** "namespace/name", or the name of what is in no namespace. */
export function keyText({ namespace, name }: Key): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

async function contextNamespace(place: Place): Promise<string> {
  // Without access the records can still be read.
  const access = await place.access().catch(() => undefined);
  return access?.namespace ?? "default";
}
