import type { Controller } from "../shared/api/controller.ts";
import type { Key } from "../shared/api/object.ts";
import type { Transport } from "../shared/kube/wire.ts";
import { objectPages } from "../shared/platform/object-list.ts";

/**
 * The keys of all objects that a controller selects, page by page. `namespace`: of that one alone.
 * Rejects when a page cannot be had: pages before it were told.
 */
export async function* selectedKeys(
  transport: Transport,
  controller: Controller,
  options: { readonly namespace?: string | undefined; readonly signal: AbortSignal },
): AsyncGenerator<readonly Key[]> {
  const { for: kind, labels, fields } = controller;
  for (const namespace of namespacesOf(controller, options.namespace)) {
    const part = { namespace, labels, fields };
    for await (const page of objectPages(transport, kind, part, options.signal)) {
      yield page.map(({ key }) => key);
    }
  }
}

function namespacesOf(
  { for: kind, namespaces }: Controller,
  asked: string | undefined,
): readonly (string | undefined)[] {
  if (kind.scope === "Cluster" || !namespaces) return [asked];
  return asked === undefined ? namespaces : namespaces.filter((each) => each === asked);
}
