import type { Key, Kind, KubernetesObject } from "../api/object.ts";
import type { Manifest } from "../api/resource.ts";
import { createKubeClient } from "../kube/create-kube-client.ts";
import type { DeleteRequest, KubeClient, ListRequest, WriteOptions } from "../kube/kube-client.ts";
import type { Transport } from "../kube/wire.ts";
import { findKind, listable, manifestsOf, servedKind } from "./manifests.ts";

/** "web", "shop/web", or a key. A name alone is in the namespace "default". */
export type NameOrKey = string | Key;

/** The object of a test's calls: the user at the keyboard. */
export const FIELD_MANAGER = "test";

/**
 * Reads and writes as a user does them, whom no failure meets that the test asked for. Objects
 * without a namespace go to "default".
 */
export class ClusterObjects {
  readonly client: KubeClient;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.client = createKubeClient(transport);
  }

  /** Whether objects of the kind can be written. */
  async serves(kind: Pick<Kind, "apiVersion" | "kind">): Promise<boolean> {
    const found = await findKind(this.#transport, kind);
    return found !== undefined && (await listable(this.#transport, found));
  }

  /**
   * Server-side apply, as `kubectl apply --server-side` does it: a field of another manager is a
   * conflict unless `force`. Resolves to the object; of a YAML text, to the last one.
   */
  async applyText(text: string | object, { force = false } = {}): Promise<KubernetesObject> {
    let last: KubernetesObject | undefined;
    for (const manifest of manifestsOf(text)) {
      last = await this.apply(await servedKind(this.#transport, manifest), manifest, { force });
    }
    if (!last) throw new Error("cannot apply manifest: expected at least one object, got none");
    return last;
  }

  async apply<T extends KubernetesObject>(
    kind: Kind<T>,
    manifest: { readonly metadata: { readonly name: string; readonly namespace?: string } },
    { force = false } = {},
  ): Promise<T> {
    const key = keyIn(kind, { namespace: "default", ...manifest.metadata });
    const options = { fieldManager: FIELD_MANAGER, force, fieldValidation: "Strict" } as const;
    const { object } = await this.client.apply<T>(kind, key, manifest, options);
    return object;
  }

  async create<T extends KubernetesObject>(kind: Kind<T>, manifest: Manifest<T>): Promise<T> {
    const { namespace } = keyIn(kind, { namespace: "default", ...manifest.metadata });
    return await this.client.create<T>(kind, namespace, manifest, WRITE);
  }

  async get<T extends KubernetesObject>(kind: Kind<T>, name: NameOrKey): Promise<T | undefined> {
    return await this.client.get(kind, keyOfName(kind, name));
  }

  async list<T extends KubernetesObject>(
    kind: Kind<T>,
    options?: ListRequest,
  ): Promise<readonly T[]> {
    return await this.client.list(kind, options);
  }

  async update<T extends KubernetesObject>(kind: Kind<T>, object: T): Promise<T> {
    const { name, namespace = "" } = object.metadata;
    return await this.client.update(kind, { namespace, name }, object, WRITE);
  }

  async patch<T extends KubernetesObject>(
    kind: Kind<T>,
    name: NameOrKey,
    patch: object,
    options: WriteOptions = {},
  ): Promise<T> {
    const merge = { type: "merge", patch } as const;
    return await this.client.patch(kind, keyOfName(kind, name), merge, { ...WRITE, ...options });
  }

  async delete(kind: Kind, name: NameOrKey, options?: DeleteRequest): Promise<boolean> {
    return await this.client.delete(kind, keyOfName(kind, name), options);
  }
}

const WRITE: WriteOptions = { fieldManager: FIELD_MANAGER, fieldValidation: "Strict" };

/** The key that a name stands for. */
export function keyOfName(kind: Pick<Kind, "scope">, name: NameOrKey): Key {
  if (typeof name !== "string") return keyIn(kind, name);
  const slash = name.indexOf("/");
  const key = slash < 0 ? { namespace: "default", name } : split(name, slash);
  return keyIn(kind, key);
}

function split(name: string, slash: number): Key {
  return { namespace: name.slice(0, slash), name: name.slice(slash + 1) };
}

function keyIn({ scope }: Pick<Kind, "scope">, { namespace, name }: Key): Key {
  return { namespace: scope === "Cluster" ? "" : namespace, name };
}
