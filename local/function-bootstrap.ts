// The runtime of a function process: asks the Runtime API for invocations and calls the handler.
// Started by path: node function-bootstrap.ts HANDLER_FILE
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { requireRuntimeApi } from "./function-environment.ts";

const base = `http://${requireRuntimeApi(process.env)}/2018-06-01/runtime`;

// The runner is gone: nobody would hear the answer, nor kill this process at its deadline.
process.on("disconnect", () => process.exit(1));

async function post(path: string, body: unknown): Promise<void> {
  await fetch(`${base}${path}`, { method: "POST", body: JSON.stringify(body ?? null) });
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
    throw new Error(`${file} exports no function "handler"`);
  }
  return handler as Handler;
}

async function serveOne(handler: Handler): Promise<void> {
  const next = await fetch(`${base}/invocation/next`);
  const id = next.headers.get("lambda-runtime-aws-request-id") ?? "";
  const deadlineMs = Number(next.headers.get("lambda-runtime-deadline-ms"));
  const context = {
    awsRequestId: id,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    invokedFunctionArn: next.headers.get("lambda-runtime-invoked-function-arn"),
    getRemainingTimeInMillis: () => deadlineMs - Date.now(),
  };
  try {
    await post(`/invocation/${id}/response`, await handler(await next.json(), context));
  } catch (error) {
    await post(`/invocation/${id}/error`, errorBody(error));
  }
}

async function serve(): Promise<never> {
  const handler = await load().catch(async (error: unknown) => {
    await post("/init/error", errorBody(error));
    process.exit(1);
  });
  for (;;) await serveOne(handler);
}

await serve();
