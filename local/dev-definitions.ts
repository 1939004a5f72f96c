import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { loadAll } from "js-yaml";
import type { Logger } from "../shared/api/log.ts";
import type { Kind, KubernetesObject } from "../shared/api/object.ts";
import { createKubeClient } from "../shared/kube/create-kube-client.ts";
import type { Transport } from "../shared/kube/wire.ts";
import { KUBE_YAML } from "./kube/kube-yaml.ts";

interface Definition extends KubernetesObject {
  readonly spec: { readonly names: { readonly plural: string } };
}
const Definition: Kind<Definition> = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
};

/** Keeps the CustomResourceDefinitions of the function folders (`crd.yaml`) in a cluster as they stand there. */
export class DevDefinitions {
  readonly #functionsDir: string;
  readonly #transport: Transport;
  readonly #log: Logger;
  /** Text by file. */
  readonly #installed = new Map<string, string>();

  constructor(options: {
    readonly functionsDir: string;
    readonly transport: Transport;
    readonly log: Logger;
  }) {
    this.#functionsDir = options.functionsDir;
    this.#transport = options.transport;
    this.#log = options.log;
  }

  /**
   * Installs what is new or was edited since. A definition whose file went stays, and with it its
   * objects. Rejects naming the file that cannot be installed; it is tried again by the next call.
   */
  async update(): Promise<void> {
    for (const file of await definitionFiles(this.#functionsDir)) {
      const text = await readFile(file, "utf8");
      if (this.#installed.get(file) === text) continue;
      await install(this.#transport, file, text);
      this.#installed.set(file, text);
      this.#log.info("definition installed", { function: basename(dirname(file)) });
    }
  }
}

/** The `crd.yaml` of each function folder that has one. */
export async function definitionFiles(functionsDir: string): Promise<readonly string[]> {
  // What it is instead of a folder, those tell that read the functions.
  const names = await readdir(functionsDir).catch((): string[] => []);
  return names
    .sort()
    .map((name) => join(functionsDir, name, "crd.yaml"))
    .filter((file) => existsSync(file));
}

/** The objects of a file; two separators in a row hold none. */
export function definitionsIn(text: string): readonly Definition[] {
  return (loadAll(text, { schema: KUBE_YAML }) as readonly (Definition | null)[]).filter(
    (each) => each !== null,
  );
}

async function install(transport: Transport, file: string, text: string): Promise<void> {
  const client = createKubeClient(transport);
  try {
    for (const definition of definitionsIn(text)) {
      const key = { namespace: "", name: definition.metadata.name };
      const options = { fieldManager: "tidegate", force: true };
      await client.apply(Definition, key, definition, options);
    }
  } catch (error) {
    throw new Error(`cannot install ${file}`, { cause: error });
  }
}
