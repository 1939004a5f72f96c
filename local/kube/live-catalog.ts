import type { ApiObject } from "./api-object.ts";
import { builtInResources } from "./built-in-resources.ts";
import { resourcesOfCrd } from "./crd-schema.ts";
import { isTrue, statusOf } from "./crd-status.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ObjectStore } from "./store.ts";

/** Where CustomResourceDefinitions are stored. */
export const DEFINITIONS = "apiextensions.k8s.io/customresourcedefinitions";

/** The built-in resources, and those of the established CustomResourceDefinitions in the store. */
export function createLiveCatalog(store: ObjectStore): ResourceCatalog {
  const builtIn = builtInResources();
  const custom = new Map<string, readonly ServedResource[]>();
  const changes = schemaChanges();
  let all: readonly ServedResource[] = builtIn;
  let byPath = new Map<string, ServedResource>();
  const rebuild = () => {
    all = [...builtIn, ...[...custom.values()].flat()];
    byPath = new Map(all.map((resource) => [pathOf(resource), resource]));
  };
  const follow = (definition: ApiObject, gone: boolean) => {
    const { name } = definition.metadata;
    if (gone || !established(definition)) custom.delete(name);
    else {
      const rereadUpTo = changes.upTo(definition);
      const resources = resourcesOfCrd(withAcceptedNames(definition));
      custom.set(
        name,
        resources.map((each) => ({ ...each, rereadUpTo })),
      );
    }
    if (gone) changes.forget(name);
    rebuild();
  };
  for (const definition of store.list(DEFINITIONS, "")) follow(definition, false);
  rebuild();
  store.subscribe(DEFINITIONS, ({ type, object }) => follow(object, type === "DELETED"));
  return { all: () => all, find: (where) => byPath.get(pathOf(where)) };
}

/** Up to which version objects may not fit the schema of their definition. */
function schemaChanges() {
  const known = new Map<string, { readonly generation: number; readonly upTo: number }>();
  return {
    upTo: ({ metadata }: ApiObject): number => {
      const { name, generation = 1, resourceVersion } = metadata;
      const before = known.get(name);
      if (before?.generation === generation) return before.upTo;
      const upTo = generation === 1 ? 0 : Number(resourceVersion);
      known.set(name, { generation, upTo });
      return upTo;
    },
    forget: (name: string) => void known.delete(name),
  };
}

function pathOf({ group, version, plural }: Pick<ServedResource, "group" | "version" | "plural">) {
  return `${group}/${version}/${plural}`;
}

/** Names that another definition has are not served. */
function withAcceptedNames(definition: ApiObject): ApiObject {
  const { acceptedNames: names } = statusOf(definition);
  return { ...definition, spec: { ...(definition.spec as object), names } };
}

function established(definition: ApiObject): boolean {
  return isTrue(statusOf(definition).conditions, "Established");
}
