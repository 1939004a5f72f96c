/** One HTTP request to an API server. */
export interface KubeRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Absolute path without query ("/api/v1/namespaces/a/configmaps/b"), already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Default "application/json". */
  readonly contentType?: string;
  /** Default "application/json". */
  readonly accept?: string;
  readonly signal?: AbortSignal;
  /** Until the whole answer is there; for a stream until its head is. Default 30 s. */
  readonly timeoutMs?: number;
}

export interface KubeResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; text where it is none. */
  readonly body: unknown;
}

export interface KubeStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Whole lines of the body without the line end; the last one may have had none. To be iterated
   * once. Throws when the connection breaks off, and the signal's reason when it is aborted; ends
   * at a clean end.
   */
  readonly lines: AsyncIterable<string>;
  /** Closes the connection; `lines` ends. To be called, too, for a stream that is not read to its end. */
  readonly close: () => void;
}

/**
 * A connection to one API server, with authentication. Resolves for every HTTP status; rejects only
 * where there was no whole answer (connection, TLS, timeout), and with the signal's reason when it
 * is aborted.
 */
export interface Transport {
  readonly request: (request: KubeRequest) => Promise<KubeResponse>;
  readonly stream: (request: KubeRequest) => Promise<KubeStream>;
  /** Ends all connections. What is under way rejects, and so does what is asked later. */
  readonly close: () => void;
}

/** Where an API server is and how to prove who we are. */
export interface KubeAccess {
  /** "https://host:port", without a path at the end unless the server lives under one. */
  readonly server: string;
  /** PEM. Read anew for each new connection, so a rotated CA is followed. Absent: the system's CAs. */
  readonly ca?: () => Promise<string | undefined>;
  readonly insecureSkipTlsVerify?: boolean;
  /** Server name for TLS where it differs from the host. */
  readonly tlsServerName?: string;
  /** PEM, for client certificates; read anew for each new connection. */
  readonly certificate?: () => Promise<{ readonly cert: string; readonly key: string } | undefined>;
  /**
   * Value of the Authorization header. Asked before each request, so it keeps what it has while that
   * is good. `renew` says that the last one was refused with 401; it is not asked so twice at a time.
   */
  readonly authorization?: (options: { readonly renew: boolean }) => Promise<string | undefined>;
}
