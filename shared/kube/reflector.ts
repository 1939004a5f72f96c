import { setImmediate } from "node:timers/promises";
import { type Key, type KubernetesObject, keyOf } from "../api/object.ts";
import type { Kept, ReflectedChange, ReflectorHealth } from "./reflected.ts";
import { ReflectorBackoff } from "./reflector-backoff.ts";
import { ReflectorCache } from "./reflector-cache.ts";
import { failureOf } from "./reflector-failure.ts";
import { REFLECTOR_TIMES, type ReflectorOptions } from "./reflector-options.ts";
import { SilenceGuard } from "./reflector-silence.ts";
import { sourceText } from "./reflector-source.ts";
import { relist } from "./relist.ts";
import { openWatch, watchLine } from "./watch-stream.ts";

/** So often the same version may lead to a broken watch before it is given up. */
const MOST_DOUBTS = 3;
/** Between so many changes of a list the process gets to do other things. */
const CHANGES_AT_ONCE = 1000;

/**
 * Holds what `keep` makes of each object of a kind, and tells what changes.
 *
 * R1. It lists, then watches from exactly the version of the list. A new list is compared with the
 *     cache by uid, so what happened in between is told, deletions included.
 * R2. Nothing is deleted but by a deletion of the watch or by a list that is whole. No failure deletes.
 * R3. The version moves when `onChange` has returned, and never past a line that was not understood.
 * R4. No failure ends it; only the signal does, and after it nothing is told.
 * R5. At most one list or watch is open at any time.
 */
export class Reflector<K extends Kept> {
  readonly #options: ReflectorOptions<K>;
  readonly #cache: ReflectorCache<K>;
  readonly #backoff: ReflectorBackoff;
  readonly #name: string;
  readonly #waiting = new Set<() => void>();
  readonly #counts = { lists: 0, watches: 0, changes: 0, repairs: 0 };
  #running: Promise<void> | undefined;
  #version: string | undefined;
  #synced = false;
  #unavailable: string | undefined;
  #doubts = 0;
  #heardMs: number;

  constructor(options: ReflectorOptions<K>) {
    this.#options = options;
    this.#cache = new ReflectorCache((object, before) => this.#keep(object, before));
    this.#backoff = new ReflectorBackoff(options.clock, options.random);
    this.#name = sourceText(options);
    this.#heardMs = options.clock.monotonicMs();
  }

  /** The first list is through and told. */
  get synced(): boolean {
    return this.#synced;
  }

  get size(): number {
    return this.#cache.size;
  }

  get(key: Key): K | undefined {
    return this.#cache.get(key);
  }

  /** All that is kept. Not to be held over an `await`. */
  entries(): IterableIterator<K> {
    return this.#cache.entries();
  }

  health(): ReflectorHealth {
    return {
      synced: this.#synced,
      ...(this.#unavailable === undefined ? {} : { unavailable: this.#unavailable }),
      silentMs: this.#options.clock.monotonicMs() - this.#heardMs,
      objects: this.#cache.size,
      ...(this.#version === undefined ? {} : { resourceVersion: this.#version }),
      ...this.#counts,
    };
  }

  /** Resolves to true once synced, to false when the signal is aborted before. */
  async whenSynced(signal: AbortSignal): Promise<boolean> {
    await this.#until(() => this.#synced, signal);
    return this.#synced;
  }

  /** Resolves once it is synced or known why it is not, or when the signal is aborted. */
  async whenSettled(signal: AbortSignal): Promise<void> {
    await this.#until(() => this.#synced || this.#unavailable !== undefined, signal);
  }

  /**
   * Reflects until the signal is aborted. Never rejects. Where it runs already, this is the run that goes on: the
   * second signal does not count.
   */
  run(signal: AbortSignal): Promise<void> {
    this.#running ??= this.#rounds(signal).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #rounds(signal: AbortSignal): Promise<void> {
    const {
      clock,
      random,
      startDelayMs = random() * REFLECTOR_TIMES.startWithinMs,
    } = this.#options;
    this.#version = undefined;
    await clock.sleep(startDelayMs, signal);
    while (!signal.aborted) {
      // A round rejects only where the log itself fails, and not even that ends it (R4).
      const waitMs = await this.#round(signal).catch(() => this.#backoff.failed());
      if (waitMs > 0) await clock.sleep(waitMs, signal);
    }
  }

  /** One list where needed, and one watch. Resolves to the milliseconds to wait before the next. */
  async #round(signal: AbortSignal): Promise<number> {
    const { clock } = this.#options;
    const guard = new SilenceGuard(clock, REFLECTOR_TIMES.silenceMs, signal);
    let verb: "list" | "watch" = "list";
    let openedMs = Number.POSITIVE_INFINITY;
    try {
      if (this.#version === undefined) await this.#list(guard);
      verb = "watch";
      if (signal.aborted || this.#version === undefined) return 0;
      await this.#watch(guard, this.#version, () => {
        openedMs = clock.monotonicMs();
      });
      if (guard.signal.aborted) return this.#quiet(signal);
      const short = clock.monotonicMs() - openedMs < REFLECTOR_TIMES.shortWatchMs;
      return short ? REFLECTOR_TIMES.shortWatchMs + this.#backoff.reopened() : 0;
    } catch (error) {
      if (signal.aborted) return 0;
      return this.#failed(error, verb, clock.monotonicMs() - openedMs);
    } finally {
      guard.end();
    }
  }

  async #list(guard: SilenceGuard): Promise<void> {
    const { transport } = this.#options;
    const listed = new Map<string, K>();
    this.#counts.lists += 1;
    const version = await relist({
      transport,
      source: this.#options,
      signal: guard.signal,
      heard: () => this.#heard(guard),
      begin: () => listed.clear(),
      take: (object) => this.#cache.list(object, listed),
    });
    const repairs = this.#synced;
    if (guard.signal.aborted) return;
    let told = 0;
    for (const change of this.#cache.replaced(listed)) {
      this.#tell(change);
      told += 1;
      if (repairs) this.#counts.repairs += 1;
      if (told % CHANGES_AT_ONCE === 0) {
        await setImmediate();
        guard.heard();
      }
      // Only here, before the next change is taken: a change that is taken must be told.
      if (guard.signal.aborted) return;
    }
    this.#version = version;
    this.#synced = true;
    this.#available();
  }

  async #watch(guard: SilenceGuard, version: string, opened: () => void): Promise<void> {
    const { random, transport } = this.#options;
    const { least, most } = REFLECTOR_TIMES.watchSeconds;
    const timeoutSeconds = String(least + Math.floor(random() * (most - least + 1)));
    const query = { resourceVersion: version, timeoutSeconds };
    this.#counts.watches += 1;
    const stream = await openWatch(transport, this.#options, query, guard.signal);
    if (guard.signal.aborted) return stream.close();
    // The guard ends with the round, so it closes the stream in every case.
    guard.signal.addEventListener("abort", stream.close, { once: true });
    this.#heard(guard);
    this.#available();
    opened();
    for await (const line of stream.lines) {
      if (guard.signal.aborted) return;
      this.#heard(guard);
      this.#read(line, guard.signal);
    }
  }

  #read(text: string, signal: AbortSignal): void {
    const line = watchLine(text, this.#options);
    if (!line) return;
    if (line.type !== "bookmark") {
      for (const change of this.#cache[line.type](line.object)) {
        this.#tell(change);
        if (signal.aborted) return;
      }
    }
    this.#version = line.version;
    this.#doubts = 0;
  }

  /**
   * A watch that is silent is a dead connection, or one of a kind that does not change: a server that
   * has seen no change of a kind since it started sends no bookmarks of it either. A new watch tells
   * which: where it cannot be opened, that is a failure.
   * https://github.com/kubernetes/kubernetes/blob/v1.34.0/staging/src/k8s.io/apiserver/pkg/storage/cacher/cacher.go
   */
  #quiet(signal: AbortSignal): number {
    if (signal.aborted) return 0;
    const waitMs = this.#backoff.reopened();
    const fields = { reflector: this.#name, waitMs: Math.round(waitMs) };
    this.#options.log.debug("a silent watch is opened anew", fields);
    return waitMs;
  }

  #failed(error: unknown, verb: "list" | "watch", openMs: number): number {
    const { log } = this.#options;
    const { stale, doubtful, unavailable, retryAfterMs } = failureOf(error, verb, this.#options);
    this.#doubts += doubtful ? 1 : 0;
    const relists = stale || this.#doubts >= MOST_DOUBTS;
    if (relists) {
      this.#version = undefined;
      this.#doubts = 0;
    }
    if (unavailable !== undefined) {
      this.#unavailable = unavailable;
      this.#settle();
    }
    const worked = openMs >= REFLECTOR_TIMES.workingWatchMs && !relists && !doubtful;
    const waitMs = worked ? this.#backoff.reopened() : this.#backoff.failed(retryAfterMs);
    const fields = { reflector: this.#name, verb, waitMs: Math.round(waitMs), error };
    log.warn(unavailable ?? "reflector lost its connection and tries again", fields);
    return waitMs;
  }

  #tell(change: ReflectedChange<K>): void {
    this.#counts.changes += 1;
    try {
      this.#options.onChange(change);
    } catch (error) {
      // Safe to go on: the cache has moved, and the same change told again would fail again.
      const { namespace, name } = change.now.key;
      const fields = { reflector: this.#name, namespace, name, type: change.type, error };
      this.#options.log.error("a change could not be handled", fields);
    }
  }

  #keep(object: KubernetesObject, before: K | undefined): K | undefined {
    try {
      return this.#options.keep(object, before);
    } catch (error) {
      // Safe to go on: one object that cannot be kept must not stand in the way of all others.
      const { namespace, name } = keyOf(object);
      const fields = { reflector: this.#name, namespace, name, error };
      this.#options.log.error("an object could not be kept, and its change is not told", fields);
      return undefined;
    }
  }

  #heard(guard: SilenceGuard): void {
    guard.heard();
    this.#heardMs = this.#options.clock.monotonicMs();
  }

  #available(): void {
    this.#unavailable = undefined;
    this.#backoff.healthy();
    this.#settle();
  }

  #settle(): void {
    for (const wake of this.#waiting) wake();
  }

  async #until(met: () => boolean, signal: AbortSignal): Promise<void> {
    while (!met() && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        this.#waiting.add(wake);
        signal.addEventListener("abort", wake, { once: true });
      });
    }
  }
}
