/** A condition as it stands in a status. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  /** PascalCase, for programs. */
  readonly reason: string;
  /** For people. */
  readonly message: string;
  /** RFC 3339; moves only when `status` changes. */
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

/** A condition as a reconciler returns it; the framework fills in the rest. */
export type NewCondition = Pick<Condition, "type" | "status" | "reason"> & {
  readonly message?: string;
};

/** The condition `Ready`. */
export function readyCondition(
  ready: boolean,
  {
    reason = ready ? "Ready" : "NotReady",
    message = "",
  }: { reason?: string; message?: string } = {},
): NewCondition {
  return { type: "Ready", status: ready ? "True" : "False", reason, message };
}
