import type { FunctionState } from "../local/function-pause.ts";

/** Whether a controller's function takes messages; "missing": nothing connects it to its queue. */
export type RunState = FunctionState | "missing";

/** How a place pauses controllers. */
export interface PauseSwitch {
  /** What is switched, for people: "event source mapping", ... */
  readonly what: string;
  readonly state: (controller: string) => Promise<RunState>;
  /** Asks for it; the state tells when it is so. Rejects with one line where there is nothing to switch. */
  readonly set: (controller: string, paused: boolean) => Promise<void>;
}
