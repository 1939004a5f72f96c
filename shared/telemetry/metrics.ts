/** Labels of a metric. Never the name of an object: each combination is stored and paid for. */
export type Labels = Readonly<Record<string, string>>;

/** Where measurements go: EMF lines in a function, a Prometheus page in the watcher, nothing in a test. */
export interface Metrics {
  /** Adds to a counter. */
  readonly count: (name: string, labels?: Labels, by?: number) => void;
  /** Notes one measurement of a distribution, in the unit that the name ends with. */
  readonly observe: (name: string, value: number, labels?: Labels) => void;
  /** Sets a gauge. */
  readonly gauge: (name: string, value: number, labels?: Labels) => void;
}

/** Metrics that go nowhere. */
export const noMetrics: Metrics = { count: () => {}, observe: () => {}, gauge: () => {} };
