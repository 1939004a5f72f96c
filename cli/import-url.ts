/** Definitions are large; this is ten times the largest bundles that are published. */
export const SOURCE_LIMIT_BYTES = 64 * 1024 * 1024;

const TIMEOUT_MS = 60_000;
const REDIRECTS = 5;

export interface ReadUrlOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  /** Default 64 MiB. */
  readonly limitBytes?: number;
}

/**
 * The text behind a URL. Only https is followed, over redirects, too; rejects after a minute, and with
 * answers that are too large. Credentials in a URL are refused, since they would stand in the file.
 */
export async function readUrl(text: string, options: ReadUrlOptions): Promise<string> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  let url = httpsUrl(text);
  try {
    for (let redirects = 0; redirects <= REDIRECTS; redirects += 1) {
      const response = await options.fetch(url, { signal, redirect: "manual" });
      const next = response.headers.get("location");
      if (response.status < 300 || response.status > 399 || next === null) {
        return await textOf(url, response, options.limitBytes ?? SOURCE_LIMIT_BYTES);
      }
      await response.body?.cancel();
      url = httpsUrl(new URL(next, url).href);
    }
  } catch (error) {
    options.signal.throwIfAborted();
    if ((error as Error).name === "TimeoutError") {
      throw new Error(
        `cannot import ${shown(url)}: expected an answer within ${TIMEOUT_MS / 1000} s, got none`,
        { cause: error },
      );
    }
    if (error instanceof TypeError) {
      throw new Error(
        `cannot import ${shown(url)}: expected an answer, got none; check the URL, and that it can be reached from here`,
        { cause: error.cause },
      );
    }
    throw error;
  }
  throw new Error(`cannot import ${shown(url)}: expected at most ${REDIRECTS} redirects, got more`);
}

function httpsUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol !== "https:") {
    const got = url ? shown(url) : text;
    throw new Error(
      `cannot import ${got}: expected an https URL; fetch it by other means, and name the file`,
    );
  }
  if (url.username || url.password) {
    throw new Error(
      `cannot import ${shown(url)}: expected a URL without credentials; fetch it by other means, and name the file`,
    );
  }
  return url;
}

/** Without what may be secret. */
function shown({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

async function textOf(url: URL, response: Response, limitBytes: number): Promise<string> {
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(
      `cannot import ${shown(url)}: expected 200, got ${response.status}; check the URL`,
    );
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > limitBytes) {
      throw new Error(
        `cannot import ${shown(url)}: expected at most ${limitBytes} bytes, got more`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
