/** The lease item: one per platform and cluster. */
export interface LeaseRecord {
  /** Empty where it was released. */
  readonly holder: string;
  /** Random, new at each renewal: rivals watch it stand still. */
  readonly version: string;
  /** The holder's own duration; a rival waits for so long on its own monotonic clock. */
  readonly durationMs: number;
  /** Raised at each change of holder. */
  readonly term: number;
  /** Uid of the cluster's namespace kube-system. */
  readonly clusterUid: string;
}

export interface LeaseStore {
  /** Strongly consistent; undefined where there is none. */
  readonly read: () => Promise<LeaseRecord | undefined>;
  /** Writes if the stored version is still `seen` (undefined: if there is none); resolves to whether it did. */
  readonly write: (record: LeaseRecord, seen: string | undefined) => Promise<boolean>;
}
