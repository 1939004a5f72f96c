import { Journal, type JournalOptions } from "../journal.ts";
import { knownJson } from "./object-json.ts";
import type { ObjectChange, ObjectState } from "./store.ts";

/**
 * After a torn line that many versions are left out: clients may have seen some that were lost when
 * the machine ended, and must not meet them again with other content.
 */
const TORN_VERSIONS = 1_000;

/** The objects of an API server in a file, in the way of `Journal`. */
export class ObjectJournal implements ObjectState {
  readonly #journal: Journal<ObjectChange>;

  constructor(options: JournalOptions) {
    const names = {
      file: "kube.jsonl",
      header: "kubeJournal",
      title: "kube journal",
      content: "the objects",
      lineOf,
    };
    this.#journal = new Journal(names, options);
  }

  get full(): boolean {
    return this.#journal.full;
  }

  load(): Iterable<ObjectChange> {
    const changes = this.#journal.load();
    if (!this.#journal.cutOff) return changes;
    const last = changes.reduce((most, { version }) => Math.max(most, version), 1);
    const skip = { resource: "", namespace: "", name: "", version: last + TORN_VERSIONS };
    this.#journal.append([skip]);
    return [...changes, skip];
  }

  append(change: ObjectChange): void {
    this.#journal.append([change]);
  }

  compact(changes: Iterable<ObjectChange>): void {
    this.#journal.compact(changes);
  }

  close(): void {
    this.#journal.close();
  }
}

/** Takes the JSON of objects that are known in it already. */
function lineOf(changes: readonly ObjectChange[]): string {
  return `[${changes.map(changeJson).join(",")}]`;
}

function changeJson(change: ObjectChange): string {
  const { object, ...key } = change;
  if (!object) return JSON.stringify(key);
  const json = knownJson(object) ?? JSON.stringify(object);
  return `${JSON.stringify(key).slice(0, -1)},"object":${json}}`;
}
