import type { ApiMeta, ApiObject } from "../../../../local/kube/api-object.ts";
import type { Mask } from "./mask.ts";
import type { Peer, PeerAnswer, PeerRequest } from "./peer.ts";
import { type Exchange, type Note, shownHeaders } from "./transcript.ts";
import { openWatch, type Watch } from "./watch.ts";

/** What a scenario may send with a request. "{ns}" in paths and bodies stands for its namespace. */
export interface Sent {
  readonly method?: string;
  readonly path: string;
  /** A string goes as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Lower-case names. Default: JSON both ways, user-agent "contract/1.0". */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The body, for those who know that it is an object. */
  readonly object: ApiObject;
  /** metadata.uid, "" where there is none. */
  readonly uid: string;
  /** metadata.resourceVersion, "" where there is none. */
  readonly version: string;
  /** The parts of a list; none where it is none. */
  readonly items: readonly ApiObject[];
}

export type Headers = Readonly<Record<string, string>>;

/** How a scenario speaks to the server. Paths are absolute and carry their query. */
export interface Api {
  /** For what the transcript need not show: preparations, which must succeed. */
  readonly quiet: Api;
  /** The scenario's namespace. It exists. Names such as "{ns}-other" are free for cluster-wide objects. */
  readonly namespace: string;
  readonly send: (sent: Sent) => Promise<Answer>;
  readonly get: (path: string, headers?: Headers) => Promise<Answer>;
  readonly post: (path: string, body: unknown, headers?: Headers) => Promise<Answer>;
  readonly put: (path: string, body: unknown, headers?: Headers) => Promise<Answer>;
  readonly delete: (path: string, options?: unknown) => Promise<Answer>;
  /** Server-side apply: the path names fieldManager and force. */
  readonly apply: (path: string, body: unknown) => Promise<Answer>;
  readonly merge: (path: string, body: unknown, headers?: Headers) => Promise<Answer>;
  readonly strategic: (path: string, body: unknown, headers?: Headers) => Promise<Answer>;
  readonly json: (path: string, operations: unknown, headers?: Headers) => Promise<Answer>;
  /** GETs again until the answer is so; for what controllers do. Only the last answer is in the transcript. */
  readonly until: (path: string, done: (answer: Answer) => boolean) => Promise<Answer>;
  /** GETs a document of which the transcript holds that part alone: servers differ in the rest. */
  readonly part: (path: string, pick: (answer: Answer) => unknown) => Promise<unknown>;
  /** Opens a watch; the path says so ("?watch=true"). */
  readonly watch: (path: string, headers?: Headers) => Promise<Watch>;
}

export interface ApiOptions {
  readonly peer: Peer;
  readonly namespace: string;
  readonly mask: Mask;
  readonly note: (exchange: Exchange) => void;
}

export function createApi({ peer, namespace, mask, note }: ApiOptions): Api {
  const strict: Peer = {
    ...peer,
    request: (request) => peer.request(request).then(succeeded(request)),
  };
  const quiet: Api = apiOf({ peer: strict, namespace, note: () => {} }, () => quiet);
  return apiOf({ peer, namespace, note: (exchange) => note(exchange(mask)) }, () => quiet);
}

/** 40 s on a real server. */
const MOST_TRIES = 800;

function apiOf(
  { peer, namespace, note }: { peer: Peer; namespace: string; note: Note },
  quiet: () => Api,
): Api {
  const ask = async (sent: Sent) => answerOf(await peer.request(requestOf(sent, namespace)));
  const send = async (sent: Sent) => {
    const answer = await ask(sent);
    note((mask) => exchangeOf(sent, answer, mask));
    return answer;
  };
  const patch = (type: string) => (path: string, body: unknown, headers?: Headers) =>
    send({
      method: "PATCH",
      path,
      body,
      headers: { "content-type": `application/${type}`, ...headers },
    });
  return {
    get quiet() {
      return quiet();
    },
    namespace,
    send,
    get: (path, headers = {}) => send({ path, headers }),
    post: (path, body, headers = {}) => send({ method: "POST", path, body, headers }),
    put: (path, body, headers = {}) => send({ method: "PUT", path, body, headers }),
    delete: (path, body) => send({ method: "DELETE", path, body }),
    apply: patch("apply-patch+yaml"),
    merge: patch("merge-patch+json"),
    strategic: patch("strategic-merge-patch+json"),
    json: patch("json-patch+json"),
    until: async (path, done) => {
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const answer = await ask({ path });
        if (done(answer)) {
          note((mask) => exchangeOf({ path }, answer, mask));
          return answer;
        }
        await peer.pause();
      }
      throw new Error(`waiting for GET ${path}: expected it to become so, got ${MOST_TRIES} noes`);
    },
    part: async (path, pick) => {
      const answer = await ask({ path });
      const body = pick(answer);
      note((mask) => exchangeOf({ path }, { ...answer, body }, mask));
      return body;
    },
    watch: async (path, headers = {}) => {
      const stream = await peer.stream(requestOf({ path, headers }, namespace));
      return openWatch(stream, path.replaceAll("{ns}", namespace), note);
    },
  };
}

function requestOf({ method = "GET", path, body, headers }: Sent, namespace: string) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return {
    method,
    path: path.replaceAll("{ns}", namespace),
    headers: {
      accept: "application/json",
      "user-agent": "contract/1.0",
      ...(text !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(text !== undefined && { body: text.replaceAll("{ns}", namespace) }),
  };
}

function answerOf({ status, headers, text }: PeerAnswer): Answer {
  const body = parsed(text);
  const object = (typeof body === "object" && body !== null ? body : {}) as ApiObject;
  const metadata: Partial<ApiMeta> | undefined = object.metadata;
  const { uid, resourceVersion: version } = { uid: "", resourceVersion: "", ...metadata };
  const { items = [] } = object as { items?: readonly ApiObject[] };
  return { status, headers, body, object, uid, version, items };
}

function exchangeOf(
  { method = "GET", path }: Sent,
  { status, headers, body }: Answer,
  mask: Mask,
): Exchange {
  const request = mask.text(`${method} ${path}`);
  return { request, status, ...shownHeaders(headers, mask), answer: mask.value(body) };
}

/** A preparation that fails would make the rest of a scenario mean something else. */
function succeeded({ method, path }: PeerRequest) {
  return (answer: PeerAnswer) => {
    if (answer.status < 400 || method === "GET") return answer;
    throw new Error(`preparing ${method} ${path}: expected success, got ${answer.text}`);
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
