import { EventEmitter } from "node:events";
import { expect, test } from "@jest/globals";
import { stopSignal } from "../../local/stop-signal.ts";

function listening() {
  const signals = new EventEmitter();
  const output = new EventEmitter();
  const exits: number[] = [];
  const time = { ms: 1_000 };
  const stopping = stopSignal({
    signals,
    outputs: [output],
    monotonicMs: () => time.ms,
    exit: (code) => exits.push(code),
  });
  return { signals, output, exits, time, stopping };
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"])("%s asks to stop", (name) => {
  const { signals, stopping, exits } = listening();
  expect(stopping.aborted).toBe(false);
  signals.emit(name);
  expect(stopping.aborted).toBe(true);
  expect(exits).toEqual([]);
});

test("a second signal ends the process at once, but not the same Ctrl-C that npm passes on", () => {
  const { signals, exits, time } = listening();
  signals.emit("SIGINT");
  time.ms += 100;
  signals.emit("SIGINT");
  expect(exits).toEqual([]);
  time.ms += 500;
  signals.emit("SIGINT");
  expect(exits).toEqual([130]);
});

test("an output that nobody reads any more asks to stop, and a signal afterwards ends at once", () => {
  const { signals, output, exits, stopping } = listening();
  output.emit("error", new Error("write EPIPE"));
  output.emit("error", new Error("write EPIPE"));
  expect(stopping.aborted).toBe(true);
  expect(exits).toEqual([]);
  signals.emit("SIGTERM");
  expect(exits).toEqual([130]);
});
