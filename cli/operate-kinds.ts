import type { Controller } from "../shared/api/controller.ts";
import { groupOf, type Kind } from "../shared/api/object.ts";
import { kubeErrorOf } from "../shared/kube/kube-error.ts";
import type { Transport } from "../shared/kube/wire.ts";

/** What discovery says of one resource. */
interface Discovered {
  readonly name: string;
  readonly singularName?: string;
  readonly shortNames?: readonly string[];
}

/**
 * Whether a word of a command line names a kind as kubectl takes it: the kind, its plural, or another
 * of its `names`, in any case, with ".GROUP" or ".VERSION.GROUP" behind it or without.
 */
export function namesKind(
  { kind, plural, apiVersion }: Kind,
  text: string,
  names: readonly string[] = [],
): boolean {
  const asked = text.toLowerCase();
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  const tails = group === "" ? [""] : ["", `.${group}`, `.${version}.${group}`];
  return [kind, plural, ...names].some((word) =>
    tails.some((tail) => asked === `${word}${tail}`.toLowerCase()),
  );
}

/** The controllers whose kind has this short name, or this singular, in the cluster. */
export async function withShortName(
  transport: Transport,
  controllers: readonly Controller[],
  text: string,
): Promise<readonly Controller[]> {
  const named = await Promise.all(
    controllers.map(async ({ for: kind }) => {
      const found = await discovered(transport, kind);
      const { singularName, shortNames = [] } = found ?? {};
      return namesKind(kind, text, singularName ? [singularName, ...shortNames] : shortNames);
    }),
  );
  return controllers.filter((_controller, index) => named[index]);
}

/** What the cluster says of a kind; undefined: it does not serve it. */
export async function discovered(
  transport: Transport,
  { apiVersion, plural }: Kind,
): Promise<Discovered | undefined> {
  const root = groupOf(apiVersion) === "" ? "/api" : "/apis";
  const response = await transport.request({ method: "GET", path: `${root}/${apiVersion}` });
  if (response.status === 404) return undefined;
  if (response.status !== 200) throw kubeErrorOf(`ask what is served in ${apiVersion}`, response);
  const { resources = [] } = response.body as { readonly resources?: readonly Discovered[] };
  return resources.find(({ name }) => name === plural);
}
