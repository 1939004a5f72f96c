import type { Clock } from "../../shared/clock.ts";
import type { KubeStream } from "../../shared/kube/wire.ts";
import type { ServedKind, Stored } from "./fake-object.ts";
import type { StoredChange } from "./fake-store.ts";

export interface WatchOptions {
  readonly kind: ServedKind;
  readonly selected: (object: Stored) => boolean;
  /** Makes what is sent of an object (the whole, or its metadata). */
  readonly view: (object: Stored) => object;
  readonly bookmarks: boolean;
  readonly timeoutSeconds: number;
  readonly version: () => number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** How often a quiet watch is told the version, as a real server does. */
const BOOKMARK_MS = 60_000;

/** One open watch of the fake cluster. */
export class FakeWatch implements KubeStream {
  readonly status = 200;
  readonly headers = { "content-type": "application/json" };
  readonly lines: AsyncIterable<string>;
  readonly kind: ServedKind;
  readonly #options: WatchOptions;
  readonly #waiting: string[] = [];
  readonly #ended = new AbortController();
  #silent = false;
  #error: Error | undefined;
  #wake: () => void = () => {};

  constructor(options: WatchOptions) {
    this.#options = options;
    this.kind = options.kind;
    this.lines = this.#read();
    options.signal?.addEventListener("abort", this.close, { once: true });
    if (options.signal?.aborted) this.close();
    void this.#tick();
  }

  get open(): boolean {
    return !this.#ended.signal.aborted;
  }

  close = (): void => {
    this.#ended.abort();
    this.#wake();
  };

  /** The connection breaks off. */
  cut(): void {
    this.#error = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    this.close();
  }

  /** From now on nothing comes any more, and no end either. */
  silence(): void {
    this.#silent = true;
  }

  /** A change as this watch sees it: what leaves its selection is deleted for it. */
  tell({ type, now, before, version }: StoredChange): void {
    const { selected, view } = this.#options;
    const was = before !== undefined && selected(before);
    const is = type !== "DELETED" && selected(now);
    if (!was && !is) return;
    const resourceVersion = String(version);
    const last = type === "DELETED" || !before ? now : before;
    const object = is ? now : { ...last, metadata: { ...last.metadata, resourceVersion } };
    this.send(was && is ? "MODIFIED" : is ? "ADDED" : "DELETED", view(object));
  }

  send(type: string, object: object): void {
    if (this.#silent || !this.open) return;
    this.#waiting.push(JSON.stringify({ type, object }));
    this.#wake();
  }

  bookmark(): void {
    const { apiVersion, kind } = this.kind;
    const resourceVersion = String(this.#options.version());
    this.send("BOOKMARK", {
      apiVersion,
      kind,
      metadata: { resourceVersion, creationTimestamp: null },
    });
  }

  /** Bookmarks, and the end that the server itself puts to each watch. */
  async #tick(): Promise<void> {
    const { clock, bookmarks, timeoutSeconds } = this.#options;
    const endMs = clock.monotonicMs() + timeoutSeconds * 1000;
    while (this.open) {
      const leftMs = endMs - clock.monotonicMs();
      await clock.sleep(Math.min(BOOKMARK_MS, leftMs), this.#ended.signal);
      if (this.#silent || !this.open) return;
      if (bookmarks) this.bookmark();
      if (clock.monotonicMs() >= endMs) this.close();
    }
  }

  async *#read(): AsyncGenerator<string> {
    try {
      while (true) {
        const line = this.#waiting.shift();
        if (line !== undefined) yield line;
        else if (this.#error) throw this.#error;
        else if (!this.open) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.close();
    }
  }
}
