import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { codePlaceOf } from "./code-place.ts";
import { listen } from "./listen.ts";

/** One call of a function. */
export interface Invocation {
  readonly id: string;
  readonly event: unknown;
  /** Milliseconds since 1970. */
  readonly deadlineMs: number;
}

/** What a function said: that it is ready for an invocation, or how the last one ended. */
export type Said =
  | { readonly type: "next" }
  | { readonly type: "response"; readonly id: string; readonly body: string }
  | ({ readonly type: "error"; readonly id: string } & Fault)
  | ({ readonly type: "init-error" } & Fault);

/** What a function says of an error of its own. */
export interface Fault {
  readonly message: string;
  /** The place in the user's code, `FILE:LINE`. */
  readonly at?: string;
}

export interface RuntimeApi {
  /** "host:port", the value of AWS_LAMBDA_RUNTIME_API. */
  readonly address: string;
  /** Hands an invocation to the function, which must have asked for one. */
  readonly give: (invocation: Invocation) => void;
  readonly close: () => void;
}

const VERSION = "/2018-06-01/runtime";

/** Lambda's own limit of an answer. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const MAX_BODY_BYTES = 6 * 1024 * 1024;

/**
 * The Runtime API of one function process, on loopback: the same that Lambda's runtime clients speak.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export async function startRuntimeApi(
  name: string,
  onSaid: (said: Said) => void,
): Promise<RuntimeApi> {
  let asking: ServerResponse | undefined;
  const server = createServer((request, response) => {
    const hear = async () => {
      const said = await saidBy(request);
      if (said?.type === "next") asking = response;
      else response.writeHead(said ? 202 : 404, { "content-type": "application/json" }).end("{}");
      if (said) onSaid(said);
    };
    // A process that ends while it speaks has said nothing; how it ended, its exit tells.
    hear().catch(() => response.destroy());
  });
  const port = await listen(server, { what: "the Runtime API", port: 0 });
  return {
    address: `127.0.0.1:${port}`,
    give: ({ id, event, deadlineMs }) => {
      asking?.writeHead(200, {
        "content-type": "application/json",
        "lambda-runtime-aws-request-id": id,
        "lambda-runtime-deadline-ms": String(deadlineMs),
        "lambda-runtime-invoked-function-arn": `arn:aws:lambda:local:000000000000:function:${name}`,
      });
      asking?.end(JSON.stringify(event));
      asking = undefined;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function saidBy(request: IncomingMessage): Promise<Said | undefined> {
  const path = request.url ?? "";
  if (request.method === "GET" && path === `${VERSION}/invocation/next`) return { type: "next" };
  const body = await bodyOf(request);
  if (path === `${VERSION}/init/error`) return { type: "init-error", ...faultOf(body) };
  const [, id, what] = /\/invocation\/([^/]+)\/(response|error)$/.exec(path) ?? [];
  if (id === undefined) return undefined;
  return what === "response"
    ? { type: "response", id, body }
    : { type: "error", id, ...faultOf(body) };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BODY_BYTES) return "";
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

function faultOf(body: string): Fault {
  try {
    const { errorType, errorMessage, stackTrace } = JSON.parse(body) as Record<string, unknown>;
    const message = `${String(errorType)}: ${String(errorMessage)}`;
    const at = Array.isArray(stackTrace) ? codePlaceOf(stackTrace.join("\n")) : undefined;
    return { message, ...(at !== undefined && { at }) };
  } catch {
    return { message: body.slice(0, 1_000) };
  }
}
