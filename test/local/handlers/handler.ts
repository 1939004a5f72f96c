import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { request } from "node:http";

interface Order {
  readonly do: string;
  readonly body?: unknown;
  /** Whether what it says of another invocation is broken off. */
  readonly half?: boolean;
}

/** Does what its event says: one handler for all ways in which a function can end. */
export const handler = async (event: Order): Promise<unknown> => {
  switch (event.do) {
    case "answer":
      return event.body;
    case "pid":
      return process.pid;
    case "throw":
      throw new TypeError("as told");
    case "exit":
      return process.exit(3);
    case "float":
      void Promise.reject(new TypeError("nobody awaits this"));
      return new Promise(() => {});
    case "hang":
      return new Promise(() => setInterval(() => {}, 1_000));
    case "loop":
      writeSync(1, `${process.pid}\n`); // At once: nothing is written later.
      for (;;);
    case "child":
      return spawn("sleep", ["1000"], { stdio: "ignore" }).pid;
    case "say": {
      const path = "/2018-06-01/runtime/invocation/another/response";
      const sent = request(`http://${process.env.AWS_LAMBDA_RUNTIME_API}${path}`, {
        method: "POST",
      });
      const ended = new Promise((resolve) => sent.on("close", resolve).on("error", resolve));
      sent.on("response", (answer) => answer.resume());
      if (event.half) sent.write("1", () => sent.destroy());
      else sent.end('"false"');
      await ended;
      return "done";
    }
    case "eat": {
      const eaten: unknown[] = [];
      for (;;) eaten.push(Array.from({ length: 1_000_000 }, () => eaten.length));
    }
    default:
      return Object.keys(process.env).sort();
  }
};
