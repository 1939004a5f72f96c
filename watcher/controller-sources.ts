import type { Controller } from "../shared/api/controller.ts";
import type { Key, Kind } from "../shared/api/object.ts";
import type { ReflectedChange, ReflectorHealth } from "../shared/kube/reflected.ts";
import { identityOf } from "../shared/queue/identity.ts";
import { type KeptObject, keyText, type Viewed } from "./kept-object.ts";
import type { SourceView } from "./source-view.ts";
import type { UseIndex } from "./use-index.ts";

/** The part of a reflector that feeds a view. */
export interface Feed {
  readonly health: () => ReflectorHealth;
  readonly get: (key: Key) => KeptObject | undefined;
  readonly entries: () => Iterable<KeptObject>;
}

/** An object in the caches of a controller. */
export interface CachedObject {
  readonly identity: string;
  readonly fingerprint: string;
  readonly deleting: boolean;
  readonly keys: readonly Key[];
}

/** A change as a controller sees it. */
export interface MappedChange extends CachedObject {
  readonly deleted: boolean;
  readonly passed: boolean;
  /** Passed only because a list found it: no predicate would let it, so that it is in no hurry. */
  readonly slowed: boolean;
  /** An object of `for` is found by a value by which it was not found before. */
  readonly remapped: boolean;
}

interface FeedState {
  readonly feed: Feed;
  readonly view: SourceView;
  readonly slot: number;
  /** Whether its first list was noticed as complete: only then are its changes told. */
  told: boolean;
}

/**
 * All sources of one controller, with the index of its objects. Nothing is mapped before each source
 * has synced or is known to be unavailable; what changed until then comes with the backfill.
 */
export class ControllerSources {
  readonly controller: Controller;
  readonly #index: UseIndex;
  readonly #feeds: FeedState[] = [];
  #ready = false;

  constructor(controller: Controller, index: UseIndex) {
    this.controller = controller;
    this.#index = index;
  }

  /** Whether changes are mapped. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Whether the objects of `for` are all known, so that one that is not held is gone. */
  get listed(): boolean {
    return this.#feeds.every(({ view, told }) => told || view.source.role !== "for");
  }

  attach(view: SourceView, feed: Feed, slot: number): void {
    this.#feeds.push({ feed, view, slot, told: false });
  }

  /** Notices which sources have synced; returns whether that calls for a backfill. */
  refresh(): boolean {
    let news = false;
    for (const state of this.#feeds) {
      if (state.told || !state.feed.health().synced) continue;
      state.told = true;
      news = true;
    }
    const known = ({ told, feed }: FeedState) => told || feed.health().unavailable !== undefined;
    if (!this.#ready && this.#feeds.every(known)) {
      this.#ready = true;
      return true;
    }
    return this.#ready && news;
  }

  /** Follows a change of an object that a view sees; undefined where it is not to be told yet. */
  change(
    view: SourceView,
    feed: Feed,
    change: ReflectedChange<KeptObject>,
  ): MappedChange | undefined {
    const state = this.#feeds.find((one) => one.view === view && one.feed === feed);
    if (!state) return undefined;
    const { slot } = state;
    const now = change.now.views[slot];
    const before = change.type === "added" ? undefined : change.before.views[slot];
    if (!now) return undefined;
    const { key } = change.now;
    const deleted = change.type === "deleted";
    if (view.source.role === "for") {
      this.#index.update(key, {
        ...(before && { before: before.uses }),
        ...(!deleted && { now: now.uses }),
      });
    }
    if (!this.#ready || !state.told) return undefined;
    const keys = new Map<string, Key>();
    for (const viewed of before ? [now, before] : [now]) {
      for (const one of view.keysOf(key, viewed)) keys.set(keyText(one), one);
    }
    const missed = change.type === "modified" && change.missed === true;
    const remapped = !deleted && gains(before?.uses, now.uses);
    // What became of the others before this was mapped without it, whatever a predicate compares.
    const passed = view.passes(change, slot) || (!now.outside && before !== undefined && remapped);
    // Of states that no watch told a run may have read one: the covered test knows.
    const slowed = !passed && missed && !now.outside;
    return {
      identity: identityOf(view.source.kind, { ...key, uid: change.now.uid }),
      fingerprint: now.fingerprint,
      deleting: change.now.deleting,
      deleted,
      passed: passed || slowed,
      slowed,
      remapped,
      keys: [...keys.values()].filter((one) => this.#selected(view, one)),
    };
  }

  /** All objects of sources that have synced. One that would not pass as added maps to no key. */
  *cached(): Iterable<CachedObject> {
    for (const { view, feed, slot, told } of this.#feeds) {
      if (!told) continue;
      for (const kept of feed.entries()) {
        const { key, uid, deleting } = kept;
        const viewed = kept.views[slot];
        if (!viewed) continue;
        const identity = identityOf(view.source.kind, { ...key, uid });
        const passed = view.passes({ type: "added", now: kept }, slot);
        const keys = passed ? view.keysOf(key, viewed) : [];
        const selected = keys.filter((one) => this.#selected(view, one));
        yield { identity, fingerprint: viewed.fingerprint, deleting, keys: selected };
      }
    }
  }

  /** Whether an object of `for` with this key is in the cache. */
  holds(key: Key): boolean {
    return this.#feeds.some(
      ({ view, feed }) => view.source.role === "for" && feed.get(key) !== undefined,
    );
  }

  /** The kinds of sources, apart by whether all feeds of the kind have synced. */
  kinds(): { readonly synced: readonly Kind[]; readonly unsynced: readonly Kind[] } {
    const kinds = (told: boolean) =>
      this.#feeds.filter((state) => state.told === told).map(({ view }) => view.source.kind);
    return { synced: kinds(true), unsynced: kinds(false) };
  }

  /** A selector of `for` holds for what maps to its objects, too: others are none of ours. */
  #selected({ source }: SourceView, key: Key): boolean {
    const { labels, fields } = this.controller;
    if (source.role === "for" || (labels === undefined && fields === undefined)) return true;
    return !this.listed || this.holds(key);
  }
}

function gains(before: Viewed["uses"] = [], now: Viewed["uses"]): boolean {
  return now.some((values, entry) => values.some((value) => !before[entry]?.includes(value)));
}
