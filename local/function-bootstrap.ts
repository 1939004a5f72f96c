// The runtime of a function process: asks the Runtime API for invocations and calls the handler.
// Started by path: node function-bootstrap.ts HANDLER_FILE
import { type IncomingMessage, request } from "node:http";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { requireRuntimeApi } from "./function-environment.ts";

const base = `http://${requireRuntimeApi(process.env)}/2018-06-01/runtime`;

// The runner is gone: nobody would hear the answer, nor kill this process at its deadline.
process.on("disconnect", () => process.exit(1));
// A handler in an endless loop hears of no disconnect: a thread looks, too.
const watchFile = join(import.meta.dirname, `parent-watch${import.meta.filename.slice(-3)}`);
new Worker(watchFile, { workerData: process.ppid, env: {} }).unref();

/** Not fetch, which gives an answer 5 minutes: the next invocation may be hours away. */
async function call(method: "GET" | "POST", path: string, body?: unknown) {
  const { promise, resolve: answered, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(`${base}${path}`, { method }, answered).on("error", reject);
  sent.end(method === "POST" ? JSON.stringify(body ?? null) : undefined);
  const answer = await promise;
  const chunks = (await answer.toArray()) as Buffer[];
  return { headers: answer.headers, text: Buffer.concat(chunks).toString() };
}

function errorBody(error: unknown): object {
  const { name, message, stack } =
    error instanceof Error ? error : new Error(`not an Error was thrown: ${String(error)}`);
  return { errorType: name, errorMessage: message, stackTrace: stack?.split("\n") };
}

type Handler = (event: unknown, context: object) => Promise<unknown>;

async function load(): Promise<Handler> {
  const file = resolve(process.argv[2] ?? "");
  const { handler } = (await import(pathToFileURL(file).href)) as { handler?: unknown };
  if (typeof handler !== "function") {
    throw new Error(
      `cannot run function ${file}: expected it to export a function "handler", got ${typeof handler}; export what reconcileHandler returns`,
    );
  }
  return handler as Handler;
}

async function serveOne(handler: Handler): Promise<void> {
  const { headers, text } = await call("GET", "/invocation/next");
  const id = String(headers["lambda-runtime-aws-request-id"]);
  const deadlineMs = Number(headers["lambda-runtime-deadline-ms"]);
  const context = {
    awsRequestId: id,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    invokedFunctionArn: headers["lambda-runtime-invoked-function-arn"],
    getRemainingTimeInMillis: () => deadlineMs - Date.now(),
  };
  try {
    await call("POST", `/invocation/${id}/response`, await handler(JSON.parse(text), context));
  } catch (error) {
    await call("POST", `/invocation/${id}/error`, errorBody(error));
  }
}

async function serve(): Promise<never> {
  const handler = await load().catch(async (error: unknown) => {
    await call("POST", "/init/error", errorBody(error));
    process.exit(1);
  });
  for (;;) await serveOne(handler);
}

await serve();
