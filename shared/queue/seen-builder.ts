import { groupKindOf, type ObjectMeta } from "../api/object.ts";
import { type FingerprintOf, type Fingerprints, UNKNOWN_FINGERPRINT } from "./fingerprint.ts";
import { type Identified, identityOf, type KindName } from "./identity.ts";
import { encodeSeen } from "./seen.ts";

/** An object of which at least the metadata is there. */
interface Observed {
  readonly metadata: ObjectMeta;
}

/** A write that says what the object shall be: `apply`, the status result, our finalizer. */
export interface DeclarativeWrite {
  readonly kind: KindName;
  /** The server's answer. */
  readonly after: Observed;
  /** The resourceVersion that the write was conditional on. Absent: it was not conditional. */
  readonly before?: string | undefined;
  /** The server answered 201. */
  readonly created?: boolean;
}

interface Entry {
  readonly kind: KindName;
  readonly metadata: Identified;
  resourceVersion: string;
  fingerprint: string;
}

/**
 * Notes what one run sees of the kinds that its controller watches.
 *
 * V1. The version that counts is the one read first: what the run decided is decided by it.
 * V2. It moves only by a declarative write that was conditional on it, or that created the object.
 *     A state with the same fingerprint is the same version, for nobody compares more.
 * V3. All else (another version read later, any other write, a conflict) makes it unknown, and an
 *     object that cannot be named makes the whole an overflow. Nothing is left out: an entry left
 *     out would let a deletion pass unseen.
 */
export class SeenBuilder {
  readonly #fingerprints: Fingerprints;
  readonly #entries = new Map<string, Entry>();
  #complete = true;

  constructor(fingerprints: Fingerprints) {
    this.#fingerprints = fingerprints;
  }

  /** The run got or listed an object. */
  read(kind: KindName, object: Observed): void {
    const fingerprintOf = this.#fingerprints(kind);
    if (!fingerprintOf) return;
    const entry = this.#entries.get(identityOf(kind, object.metadata));
    if (!entry) this.#note(kind, object.metadata, fingerprintOf(object));
    else this.#follow(entry, object, fingerprintOf);
  }

  /** A declarative write succeeded. Not needed for one that was not sent or conflicted (`touched`). */
  wrote({ kind, after, before, created = false }: DeclarativeWrite): void {
    const fingerprintOf = this.#fingerprints(kind);
    if (!fingerprintOf) return;
    const entry = this.#entries.get(identityOf(kind, after.metadata));
    if (!entry) {
      this.#note(kind, after.metadata, created ? fingerprintOf(after) : UNKNOWN_FINGERPRINT);
    } else if (linked(entry, before)) {
      entry.resourceVersion = after.metadata.resourceVersion;
      entry.fingerprint = fingerprintOf(after);
    } else {
      this.#follow(entry, after, fingerprintOf);
    }
  }

  /**
   * Any other write was tried, or a write met a conflict. Without a uid every entry of that name
   * becomes unknown, and where there is none the whole does.
   */
  touched(kind: KindName, metadata: Omit<Identified, "uid"> & { readonly uid?: string }): void {
    if (!this.#fingerprints(kind)) return;
    const { uid } = metadata;
    const named = [...this.#entries.values()].filter((entry) => sameName(entry, kind, metadata));
    for (const entry of named) entry.fingerprint = UNKNOWN_FINGERPRINT;
    if (named.some((entry) => uid === undefined || entry.metadata.uid === uid)) return;
    if (uid === undefined) this.#complete = false;
    else this.#note(kind, { ...metadata, uid }, UNKNOWN_FINGERPRINT);
  }

  /** The bytes for the record, see `decodeSeen`. */
  encode(): Uint8Array {
    if (!this.#complete) return encodeSeen(undefined);
    return encodeSeen(
      new Map([...this.#entries].map(([identity, { fingerprint }]) => [identity, fingerprint])),
    );
  }

  #note(kind: KindName, metadata: Identified, fingerprint: string): void {
    const { resourceVersion = "" } = metadata;
    const entry = { kind, metadata, resourceVersion, fingerprint };
    this.#entries.set(identityOf(kind, metadata), entry);
  }

  /** Another state that nothing links to the first. */
  #follow(entry: Entry, object: Observed, fingerprintOf: FingerprintOf): void {
    if (entry.fingerprint === fingerprintOf(object)) {
      entry.resourceVersion = object.metadata.resourceVersion;
    } else {
      entry.fingerprint = UNKNOWN_FINGERPRINT;
    }
  }
}

/** Whether a write was made on exactly the version that the entry stands for (V2). */
function linked({ fingerprint, resourceVersion }: Entry, before: string | undefined): boolean {
  return fingerprint !== UNKNOWN_FINGERPRINT && before === resourceVersion;
}

function sameName(
  entry: Entry,
  kind: KindName,
  { namespace = "", name }: Omit<Identified, "uid">,
): boolean {
  return (
    entry.metadata.name === name &&
    (entry.metadata.namespace ?? "") === namespace &&
    groupKindOf(entry.kind) === groupKindOf(kind)
  );
}
