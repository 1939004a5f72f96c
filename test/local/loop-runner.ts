// Runs a handler that loops for ever, and prints its process id once it loops: to be killed by a test.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { FunctionProcess } from "../../local/function-process.ts";
import { systemClock } from "../../shared/clock.ts";

const environment = await FunctionProcess.start({
  spec: {
    name: "test",
    handlerFile: join(import.meta.dirname, "handlers", "handler.ts"),
    timeoutSeconds: 60,
    env: { PATH: process.env.PATH ?? "" },
  },
  clock: systemClock,
  newId: randomUUID,
  print: (line) => process.stdout.write(`${line}\n`),
});
await environment.invoke({ do: "loop" });
