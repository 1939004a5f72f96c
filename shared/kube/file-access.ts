import { readFile } from "node:fs/promises";
import type { Clock } from "../clock.ts";
import { TOKEN_FILE_MS } from "./in-cluster-access.ts";
import { RenewedValue } from "./renewed-value.ts";
import type { KubeAccess } from "./wire.ts";

/** The content of an access file, as JSON. It holds secrets: whoever writes it gives it mode 0600. */
export interface AccessFile {
  readonly server: string;
  /** PEM, as are cert and key. */
  readonly ca?: string;
  /** A bearer token; or the whole header, where it is "Basic ...". */
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly tlsServerName?: string;
}

/**
 * The access that somebody else keeps in a file for us. It is read again for the token every 60 s,
 * and at once when a token is refused; for the CA and the client certificate at each new connection.
 * Server, name and verification stay as they were at first. Rejects when the file cannot be read.
 */
export async function fileAccess(path: string, { clock }: { clock: Clock }): Promise<KubeAccess> {
  const { server, insecureSkipTlsVerify, tlsServerName } = await readAccessFile(path);
  const token = new RenewedValue(async () => {
    const goodUntilMs = clock.nowMs() + TOKEN_FILE_MS;
    return { value: headerOf((await readAccessFile(path)).token), goodUntilMs };
  }, clock);
  return {
    server,
    ca: async () => (await readAccessFile(path)).ca,
    certificate: async () => {
      const { cert, key } = await readAccessFile(path);
      return cert !== undefined && key !== undefined ? { cert, key } : undefined;
    },
    authorization: (asked) => token.get(asked),
    ...(insecureSkipTlsVerify !== undefined && { insecureSkipTlsVerify }),
    ...(tlsServerName !== undefined && { tlsServerName }),
  };
}

function headerOf(token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  const text = token.trim();
  return /^(Basic|Bearer) /.test(text) ? text : `Bearer ${text}`;
}

async function readAccessFile(path: string): Promise<AccessFile> {
  let content: Partial<AccessFile> | null;
  try {
    content = JSON.parse(await readFile(path, "utf8")) as Partial<AccessFile> | null;
  } catch (error) {
    const { code } = error as { code?: string };
    // No cause: the parser's message quotes the file.
    throw new Error(`cannot read access file ${path}: ${code ?? "expected JSON, got none"}`);
  }
  const { server, ...rest } = content ?? {};
  if (typeof server !== "string" || !URL.canParse(server)) {
    throw new Error(`cannot use access file ${path}: expected "server" to be a URL`);
  }
  return { server, ...rest };
}
