import type { Schema } from "./schema.ts";

/** One kind in one version, as the server serves it. Built-in kinds and CustomResourceDefinitions both come as this. */
export interface ServedResource {
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** As in discovery; absent: all eight. */
  readonly verbs?: readonly string[];
  readonly namespaced: boolean;
  /** Of the whole object, metadata included as `{ type: "object" }`. */
  readonly schema: Schema;
  /** Custom resources: no strategic merge, strict rules of structural schemas. */
  readonly custom: boolean;
  readonly subresources: {
    readonly status: boolean;
    readonly scale?: {
      readonly specReplicasPath: string;
      readonly statusReplicasPath: string;
      readonly labelSelectorPath?: string;
    };
  };
  readonly columns: readonly PrinterColumn[];
  /** JSON paths of field selectors beside metadata.name and metadata.namespace (".spec.nodeName"). */
  readonly selectableFields: readonly string[];
  /** Warning of every answer of a version on its way out. */
  readonly deprecation?: string;
  /** Objects up to this resourceVersion were written before the schema changed. Default 0: none was. */
  readonly rereadUpTo?: number;
  /** Where the objects are stored: all versions of a kind, and Events of both groups, share one. */
  readonly storage: { readonly group: string; readonly plural: string; readonly version: string };
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}
