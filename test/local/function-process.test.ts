import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { FunctionProcess } from "../../local/function-process.ts";
import { systemClock } from "../../shared/clock.ts";

const started: FunctionProcess[] = [];
/** Leaders of process groups that are to end by themselves. */
const groups: number[] = [];

async function start({
  handler = "handler.ts",
  timeoutSeconds = 10,
  print = (line: string) => void line,
} = {}) {
  const environment = await FunctionProcess.start({
    spec: {
      name: "test",
      handlerFile: join(import.meta.dirname, "handlers", handler),
      timeoutSeconds,
      env: { PATH: process.env.PATH ?? "", GIVEN: "yes" },
    },
    clock: systemClock,
    newId: randomUUID,
    print,
  });
  started.push(environment);
  return environment;
}

afterEach(() => {
  for (const environment of started.splice(0)) environment.kill();
  for (const pid of groups.splice(0)) if (runs(pid)) process.kill(-pid, "SIGKILL");
});

test("answers one invocation after the other from the same process", async () => {
  const environment = await start();
  const first = await environment.invoke({ do: "pid" });
  const second = await environment.invoke({ do: "pid" });
  expect(first).toEqual({ type: "response", body: String(environment.pid) });
  expect(second).toEqual(first);
});

test("gives the function its own environment and what Lambda sets, and nothing of ours", async () => {
  const environment = await start();
  const ended = await environment.invoke({ do: "environment" });
  expect(JSON.parse(ended.type === "response" ? ended.body : "[]")).toEqual(
    expect.arrayContaining(["AWS_LAMBDA_FUNCTION_NAME", "AWS_LAMBDA_RUNTIME_API", "GIVEN", "PATH"]),
  );
  expect(ended.type === "response" && ended.body).not.toContain("HOME");
});

test("goes on after a handler that throws", async () => {
  const environment = await start();
  expect(await environment.invoke({ do: "throw" })).toEqual({
    type: "failed",
    reason: "error",
    message: "TypeError: as told",
    at: expect.stringMatching(/handlers\/handler\.ts:\d+$/),
  });
  expect(environment.alive).toBe(true);
  expect(await environment.invoke({ do: "answer", body: 1 })).toEqual({
    type: "response",
    body: "1",
  });
});

test("fails when the handler exits the process", async () => {
  const environment = await start();
  expect(await environment.invoke({ do: "exit" })).toEqual({
    type: "failed",
    reason: "exit",
    message: "exited with 3",
  });
  expect(environment.alive).toBe(false);
});

test("B14: fails when a promise rejects that the handler did not await, and shows where", async () => {
  const printed: string[] = [];
  const environment = await start({ print: (line) => void printed.push(line) });
  expect(await environment.invoke({ do: "float" })).toEqual({
    type: "failed",
    reason: "exit",
    message: "exited with 1",
  });
  expect(environment.alive).toBe(false);
  expect(printed).toContain("TypeError: nobody awaits this");
});

test.each(["hang", "loop"])(
  "kills a handler at its deadline that does not end: %s",
  async (order) => {
    const environment = await start({ timeoutSeconds: 1 });
    const { pid } = environment;
    expect(await environment.invoke({ do: order })).toEqual({
      type: "failed",
      reason: "timeout",
      message: "took longer than 1 s",
    });
    await gone(pid);
  },
);

test("kills what the handler started, too", async () => {
  const environment = await start();
  const ended = await environment.invoke({ do: "child" });
  const child = Number(ended.type === "response" ? ended.body : 0);
  expect(runs(child)).toBe(true);
  environment.kill();
  await gone(child);
});

test("kills what the handler started when the handler ends its own process", async () => {
  const environment = await start();
  const ended = await environment.invoke({ do: "child" });
  const child = Number(ended.type === "response" ? ended.body : 0);
  await environment.invoke({ do: "exit" });
  await gone(child);
});

test("fails when the handler eats all its memory", async () => {
  const environment = await start({ timeoutSeconds: 60 });
  const ended = await environment.invoke({ do: "eat" });
  expect(ended).toMatchObject({ type: "failed", reason: "exit" });
}, 60_000);

test("fails when the handler does not load, with its error", async () => {
  const environment = await start({ handler: "broken.ts" });
  expect(await environment.invoke({ do: "answer" })).toEqual({
    type: "failed",
    reason: "init",
    message: "Error: does not load",
    at: expect.stringMatching(/handlers\/broken\.ts:1$/),
  });
});

test.each([true, false])(
  "hears nothing that is said of another invocation, broken off: %s",
  async (half) => {
    const environment = await start();
    expect(await environment.invoke({ do: "say", half })).toEqual({
      type: "response",
      body: '"done"',
    });
    const next = { type: "response", body: '"next"' };
    expect(await environment.invoke({ do: "answer", body: "next" })).toEqual(next);
  },
);

test("a handler in an endless loop ends soon after its runner was killed by kill -9", async () => {
  const program = join(import.meta.dirname, "loop-runner.ts");
  const args = ["--disable-warning=ExperimentalWarning", "--conditions=tidegate-source", program];
  const runner = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = (await once(runner.stdout, "data")) as [Buffer];
  const pid = Number(said);
  groups.push(pid);
  expect(runs(pid)).toBe(true);
  runner.kill("SIGKILL");
  await gone(pid);
});

test("a frozen process answers once it is thawed", async () => {
  const environment = await start();
  await environment.invoke({ do: "answer" });
  environment.freeze();
  const answered = environment.invoke({ do: "answer", body: "late" });
  environment.thaw();
  expect(await answered).toEqual({ type: "response", body: '"late"' });
});

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Resolves once the process is gone; the test's own time limit ends it otherwise. */
async function gone(pid: number | undefined): Promise<void> {
  while (pid !== undefined && runs(pid)) await new Promise((resolve) => setImmediate(resolve));
}
