import type { KubeRequest, Transport } from "../../shared/kube/wire.ts";
import { createNamespace, send } from "./kube-load.ts";

const CLIENTS = 8;
const WATCHERS = 5;
const DATA_BYTES = 1_000;
/** Objects that are got, listed, applied and patched. */
export const LISTED = 1_000;

const NAMESPACE = "listed";
const OTHERS = "others";

/** So many of something in so many milliseconds. */
export interface Pace {
  readonly count: number;
  readonly ms: number;
}

/** The clients of one API server, and what they ask of it. Each load resolves to its pace. */
export class ServerLoad {
  readonly #transport: Transport;
  readonly #signal: AbortSignal;
  #listed = 0;
  #writes = 0;

  constructor(transport: Transport, signal: AbortSignal) {
    this.#transport = transport;
    this.#signal = signal;
  }

  async prepare(): Promise<void> {
    await createNamespace(this.#transport, NAMESPACE);
    await createNamespace(this.#transport, OTHERS);
  }

  /** ConfigMaps of 1 kB; the first thousand of them are those that all other loads are about. */
  async creates(from: number, to: number): Promise<Pace> {
    let next = from;
    const pace = await this.#clients(async () => {
      const index = next++;
      if (index >= to) return false;
      const path = index < LISTED ? collection(NAMESPACE) : collection(OTHERS);
      await this.#send({ method: "POST", path, body: configMap(`config-${index}`) });
      return true;
    });
    this.#listed = Math.min(LISTED, to);
    return pace;
  }

  gets(ms: number): Promise<Pace> {
    return this.#during(ms, (index) => ({ method: "GET", path: this.#pathOf(index) }));
  }

  lists(ms: number): Promise<Pace> {
    return this.#during(ms, () => ({ method: "GET", path: collection(NAMESPACE) }));
  }

  /** Each sets a field of its own manager to another value. */
  applies(ms: number): Promise<Pace> {
    return this.#during(ms, (index) => ({
      method: "PATCH",
      path: this.#pathOf(index),
      query: { fieldManager: "bench-apply", force: "true" },
      contentType: "application/apply-patch+yaml",
      body: {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: this.#nameOf(index) },
        data: { applied: String(this.#writes++) },
      },
    }));
  }

  /** Merge patches that set a field to another value. */
  patches(ms: number): Promise<Pace> {
    return this.#during(ms, (index) => this.#patch(index));
  }

  /** Events that reach all watchers, while the clients patch; until the last one has its last one. */
  async watchEvents(ms: number): Promise<Pace> {
    const { resourceVersion } = await this.#head();
    const query = { watch: "1", resourceVersion };
    const request = { method: "GET", path: collection(NAMESPACE), query } as const;
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#signal]);
    const open = () => this.#transport.stream({ ...request, signal });
    try {
      const streams = await Promise.all(Array.from({ length: WATCHERS }, open));
      const startedMs = performance.now();
      const arrivals = new Arrivals();
      for (const { lines } of streams) void arrivals.read(lines);
      const { count } = await this.patches(ms);
      await arrivals.until(count * WATCHERS);
      return { count: count * WATCHERS, ms: performance.now() - startedMs };
    } finally {
      over.abort();
    }
  }

  /** The version of the list, by a page of one object. */
  async #head(): Promise<{ readonly resourceVersion: string }> {
    const path = collection(NAMESPACE);
    const list = await this.#send({ method: "GET", path, query: { limit: "1" } });
    return (list as { metadata: { resourceVersion: string } }).metadata;
  }

  #patch(index: number): KubeRequest {
    const body = { data: { patched: String(this.#writes++) } };
    const contentType = "application/merge-patch+json";
    return { method: "PATCH", path: this.#pathOf(index), contentType, body };
  }

  #pathOf(index: number): string {
    return `${collection(NAMESPACE)}/${this.#nameOf(index)}`;
  }

  #nameOf(index: number): string {
    return `config-${index % this.#listed}`;
  }

  #during(ms: number, requestOf: (index: number) => KubeRequest): Promise<Pace> {
    const deadlineMs = performance.now() + ms;
    let next = 0;
    return this.#clients(async () => {
      if (performance.now() >= deadlineMs) return false;
      await this.#send(requestOf(next++));
      return true;
    });
  }

  /** Each client asks again until there is nothing more to ask; the time is that of the last answer. */
  async #clients(ask: () => Promise<boolean>): Promise<Pace> {
    const startedMs = performance.now();
    let count = 0;
    const client = async () => {
      while (await ask()) count += 1;
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    return { count, ms: performance.now() - startedMs };
  }

  #send(request: KubeRequest): Promise<unknown> {
    return send(this.#transport, { ...request, signal: this.#signal });
  }
}

/** Counts the events of all watchers together. */
class Arrivals {
  readonly #all = Promise.withResolvers<undefined>();
  #count = 0;
  #wanted = Number.POSITIVE_INFINITY;

  constructor() {
    this.#all.promise.catch(() => {}); // Told by `until`, if that is called at all.
  }

  async read(lines: AsyncIterable<string>): Promise<void> {
    try {
      for await (const line of lines) this.#heard(line);
      throw new Error(`cannot watch: expected more than ${this.#count} events, got the end`);
    } catch (error) {
      this.#all.reject(error);
    }
  }

  /** Resolves once there were as many; rejects when a watch ends before. */
  async until(count: number): Promise<void> {
    this.#wanted = count;
    this.#look();
    await this.#all.promise;
  }

  #heard(line: string): void {
    if (!line.startsWith(CHANGED)) return;
    this.#count += 1;
    this.#look();
  }

  #look(): void {
    if (this.#count >= this.#wanted) this.#all.resolve(undefined);
  }
}

/** Both servers write the type first. */
const CHANGED = '{"type":"MODIFIED"';

function collection(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

function configMap(name: string): object {
  const data = { text: "x".repeat(DATA_BYTES) };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}
