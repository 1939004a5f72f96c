import { ensureDefaultAccount, type Seeded } from "./cluster-seed.ts";
import { Later } from "./later.ts";
import { NAMESPACES } from "./namespace-lifecycle.ts";
import type { ObjectStore } from "./store.ts";

const DEFAULT_ACCOUNT = "default";

/** Gives each namespace its default ServiceAccount, and again when it is deleted. */
export function startDefaultAccounts(
  options: Seeded & { readonly store: ObjectStore; readonly onError: (error: unknown) => void },
): () => void {
  const { store } = options;
  const later = new Later(options.onError);
  const ensure = (namespace: string) =>
    later.do(() => {
      const found = store.get({ resource: NAMESPACES, namespace: "", name: namespace });
      if (found && found.metadata.deletionTimestamp === undefined) {
        ensureDefaultAccount(options, namespace);
      }
    });
  const stops = [
    store.subscribe(NAMESPACES, ({ type, object }) => {
      if (type === "ADDED") ensure(object.metadata.name);
    }),
    store.subscribe("/serviceaccounts", ({ type, object }) => {
      const { name, namespace = "" } = object.metadata;
      if (type === "DELETED" && name === DEFAULT_ACCOUNT) ensure(namespace);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    later.close();
  };
}
