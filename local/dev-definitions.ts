import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Logger } from "../shared/api/log.ts";
import type { CustomResourceDefinition } from "../shared/crd/custom-resource-definition.ts";
import { createKubeClient } from "../shared/kube/create-kube-client.ts";
import type { KubeClient } from "../shared/kube/kube-client.ts";
import type { Transport } from "../shared/kube/wire.ts";
import { Definition } from "../shared/platform/definition-kind.ts";
import { type ResourceFile, readDefinitions } from "./read-definitions.ts";
import { hashOfSources } from "./source-files.ts";

/** Keeps the CustomResourceDefinitions of the function folders (`crd()` of each `resource.ts`) in a cluster as they stand there. */
export class DevDefinitions {
  readonly #functionsDir: string;
  readonly #transport: Transport;
  readonly #log: Logger;
  /** As JSON, by file. */
  readonly #installed = new Map<string, string>();
  #files: readonly ResourceFile[] = [];
  /** Of the sources as they were last installed. */
  #hash = "";

  constructor(options: {
    readonly functionsDir: string;
    readonly transport: Transport;
    readonly log: Logger;
  }) {
    this.#functionsDir = options.functionsDir;
    this.#transport = options.transport;
    this.#log = options.log;
  }

  /** What the last update found. */
  get files(): readonly ResourceFile[] {
    return this.#files;
  }

  /**
   * Installs what is new or was edited since. A definition whose folder went stays, and with it its
   * objects. Rejects naming the file that does not load or cannot be installed; it is tried again by
   * the next call.
   */
  async update(): Promise<void> {
    const shared = join(dirname(this.#functionsDir), "shared");
    const hash = await hashOfSources([this.#functionsDir, shared], mayDefine);
    if (hash === this.#hash) return;
    this.#files = await readDefinitions(this.#functionsDir);
    for (const { file, crds } of this.#files) {
      const text = JSON.stringify(crds);
      if (crds.length === 0 || this.#installed.get(file) === text) continue;
      await install(this.#transport, file, crds);
      this.#installed.set(file, text);
      this.#log.info("definition installed", { function: basename(dirname(file)) });
    }
    this.#hash = hash;
  }
}

/** A schema may be made of whatever `resource.ts` imports, and that is never one of these. */
function mayDefine(file: string): boolean {
  return !/(^|\/)(controller|reconciler|handler)\.ts$/.test(file);
}

async function install(
  transport: Transport,
  file: string,
  crds: readonly CustomResourceDefinition[],
): Promise<void> {
  const client = createKubeClient(transport);
  for (const crd of crds) {
    const { name } = crd.metadata;
    try {
      const options = { fieldManager: "tidegate", force: true };
      await client.apply(Definition, { namespace: "", name }, crd, options);
      await namesAccepted(client, name);
    } catch (error) {
      // Kind and scope, among others, stay what they are.
      const fixed = error instanceof Error && error.message.includes("field is immutable");
      const advice = `; to have it anew, remove it with all its objects: kubectl delete crd ${name}`;
      throw new Error(`cannot install what ${file} defines${fixed ? advice : ""}`, {
        cause: error,
      });
    }
  }
}

/** The embedded cluster looks at the names right after the write. */
async function namesAccepted(client: KubeClient, name: string): Promise<void> {
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const found = await client.get(Definition, { namespace: "", name });
    const names = found?.status?.conditions?.find(({ type }) => type === "NamesAccepted");
    if (names?.status === "True") return;
    if (names) {
      throw new Error(
        `${name} is not served: ${names.message}; choose other names, or remove the definition that has these: kubectl get crd`,
      );
    }
    await setImmediate();
  }
}

const MAX_LOOKS = 100;
