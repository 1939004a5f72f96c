import { runInNewContext } from "node:vm";
import { expect, test } from "@jest/globals";
import { createLogger, type LoggerOptions } from "../../shared/telemetry/log.ts";

function logger(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const log = createLogger({ write: (line) => lines.push(line), nowMs: () => 1_500, ...options });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? "") };
}

test("writes a JSON line: time, level, message, then the fields", () => {
  const { log, lines } = logger();
  log.info("reconcile ended", { controller: "website", attempt: 2 });
  expect(lines).toEqual([
    '{"time":"1970-01-01T00:00:01.500Z","level":"info","message":"reconcile ended","controller":"website","attempt":2}',
  ]);
});

test("a child adds fields to those of its parent", () => {
  const { log, last } = logger({ fields: { controller: "website" } });
  log.child({ namespace: "default" }).child({ name: "shop" }).warn("slow", { name: "other" });
  expect(last()).toMatchObject({ controller: "website", namespace: "default", name: "other" });
});

test("no field replaces time, level or message", () => {
  const { log, last } = logger();
  log.error("kept", { message: "lost", level: "lost", time: "lost" });
  expect(last()).toEqual({ time: "1970-01-01T00:00:01.500Z", level: "error", message: "kept" });
});

test.each([
  ["debug", ["a", "b", "c", "d"]],
  ["info", ["b", "c", "d"]],
  ["error", ["d"]],
] as const)("at level %s, what lies below is not written", (level, expected) => {
  const { log, lines } = logger({ level });
  log.debug("a");
  log.info("b");
  log.warn("c");
  log.error("d");
  expect(lines.map((line) => JSON.parse(line).message)).toEqual(expected);
});

test("an error keeps name, message, code, stack and cause, and never the request that hangs on it", () => {
  const { log, last } = logger();
  const cause = Object.assign(new TypeError("socket closed"), { code: "ECONNRESET" });
  const error = Object.assign(new Error("cannot get secret", { cause }), {
    config: { body: "password" },
    response: { body: "password" },
  });
  log.error("failed", { error });
  expect(last().error).toEqual({
    name: "Error",
    message: "cannot get secret",
    stack: expect.stringContaining("log.test.ts"),
    cause: expect.objectContaining({
      name: "TypeError",
      message: "socket closed",
      code: "ECONNRESET",
    }),
  });
  expect(JSON.stringify(last())).not.toContain("password");
});

test("errors of an AggregateError, and of another realm, are told", () => {
  const { log, last } = logger();
  const foreign = runInNewContext('new RangeError("far away")');
  log.error("failed", { error: new AggregateError([foreign], "all failed") });
  expect(last().error.errors).toEqual([
    expect.objectContaining({ name: "RangeError", message: "far away" }),
  ]);
});

test("takes what JSON does not: cycles, BigInt, maps, dates, functions, bytes, NaN, and getters that throw", () => {
  const { log, last } = logger();
  const cyclic: Record<string, unknown> = { name: "loop" };
  cyclic.self = cyclic;
  log.info("odd", {
    cyclic,
    big: 10n ** 20n,
    map: new Map([["a", 1n]]),
    set: new Set([1]),
    at: new Date(0),
    call: function named() {},
    bytes: new Uint8Array(3),
    number: Number.NaN,
    nothing: undefined,
    throws: {
      get value() {
        throw new Error("no");
      },
    },
    twice: [cyclic.name, cyclic.name],
  });
  expect(last()).toMatchObject({
    cyclic: { name: "loop", self: "[cyclic]" },
    big: "100000000000000000000",
    map: { a: "1" },
    set: [1],
    at: "1970-01-01T00:00:00.000Z",
    call: "[function named]",
    bytes: "[3 bytes]",
    number: "NaN",
    throws: "[unreadable]",
    twice: ["loop", "loop"],
  });
});

test("cuts what would make a line too long: texts, lists and depth", () => {
  const { log, last } = logger();
  let deep: object = {};
  for (let level = 0; level < 50; level += 1) deep = { deep };
  log.info("big", { text: "x".repeat(10_000), list: Array(150).fill(1), deep });
  expect(last().text).toBe(`${"x".repeat(8_192)} [1808 more]`);
  expect(last().list).toHaveLength(101);
  expect(last().list[100]).toBe("[50 more]");
  expect(JSON.stringify(last().deep)).toContain("[deep]");
});

test("for a terminal: a short line, with an error's reasons and no stack", () => {
  const { log, lines } = logger({ format: "text" });
  const error = new Error("cannot list websites", { cause: new Error("connection refused") });
  log.warn("retrying", { controller: "website", inMs: 250, host: "", error, gone: undefined });
  expect(lines).toEqual([
    '00:00:01.500 warn  retrying controller=website inMs=250 host="" error="cannot list websites: connection refused"',
  ]);
});

test("for a terminal at level debug: with the stack", () => {
  const { log, lines } = logger({ format: "text", level: "debug" });
  log.error("failed", { error: new Error("boom") });
  expect(lines[0]).toMatch(/^00:00:01.500 error failed error=boom\nError: boom\n {4}at /);
});

test("for a terminal: colours only when asked, and no control character of a field's", () => {
  const plain = logger({ format: "text" });
  plain.log.info("said", { text: "\u001b[31mred" });
  expect(plain.lines[0]).not.toContain("\u001b");
  const colored = logger({ format: "text", color: true });
  colored.log.info("said", {});
  expect(colored.lines[0]).toBe("\u001b[2m00:00:01.500\u001b[0m \u001b[36minfo \u001b[0m said");
});
