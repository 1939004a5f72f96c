import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { kubeRequest } from "../../local/kube-apiserver/kube-request.ts";
import type { Kube } from "./kube-apiserver.ts";

const PATH = "/api/v1/namespaces/default/configmaps";
/** A server that hangs. */
const LIMIT_MS = 5_000;

/** What the controllers of crash-functions work on. */
export class CrashObjects {
  readonly #kube: Kube;
  readonly #controller: string;

  constructor(kube: Kube, controller: string) {
    this.#kube = kube;
    this.#controller = controller;
  }

  /** Creates an object, or changes its value. Rejects unless the server says that it did. */
  async apply(name: string, value?: string): Promise<void> {
    const metadata = { name, labels: { crash: this.#controller } };
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { value } };
    await this.#send("PATCH", `${PATH}/${name}?fieldManager=user&force=true`, body);
  }

  /** Deletes an object or a child, if it is there. */
  async delete(name: string): Promise<void> {
    await this.#send("DELETE", `${PATH}/${name}`);
  }

  /** Each object that is there, and its value. */
  async list(): Promise<ReadonlyMap<string, string>> {
    return valuesOf(await this.#listed(`?labelSelector=crash%3D${this.#controller}`));
  }

  /** Each child that is there, by its owner's name, and its value. */
  async children(): Promise<ReadonlyMap<string, string>> {
    const all = valuesOf(await this.#listed(""));
    const children = [...all].filter(([name]) => name.endsWith(".copy"));
    return new Map(children.map(([name, value]) => [name.slice(0, -".copy".length), value]));
  }

  async #listed(query: string) {
    const { body } = await this.#send("GET", `${PATH}${query}`);
    const { items } = body as {
      items: { metadata: { name: string }; data?: { value?: string } }[];
    };
    return items;
  }

  async #send(method: string, path: string, body?: object) {
    const answer = await kubeRequest(this.#kube, {
      method,
      path,
      signal: AbortSignal.timeout(LIMIT_MS),
      ...(body && { body, contentType: "application/apply-patch+yaml" }),
    });
    if (answer.status >= 300 && !(method === "DELETE" && answer.status === 404)) {
      throw new Error(`${method} ${path} failed: got ${answer.status}`);
    }
    return answer;
  }
}

function valuesOf(items: readonly { metadata: { name: string }; data?: { value?: string } }[]) {
  return new Map(items.map(({ metadata, data }) => [metadata.name, data?.value ?? ""]));
}

/** The files that reconcilers keep outside, and their values. */
export async function outsideIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith(".new"));
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const),
    ),
  );
}

/** Where two maps differ, in words; empty where they do not. */
export function differences(
  what: string,
  got: ReadonlyMap<string, string>,
  wanted: ReadonlyMap<string, string>,
): readonly string[] {
  return [...new Set([...got.keys(), ...wanted.keys()])]
    .filter((name) => got.get(name) !== wanted.get(name))
    .map((name) => `${what} ${name}: ${got.get(name)}, not ${wanted.get(name)}`);
}
