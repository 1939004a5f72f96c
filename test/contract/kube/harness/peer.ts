/** A server that speaks the Kubernetes API, as the contract sees it: nothing of it is understood here. */
export interface Peer {
  /** Resolves for every status; rejects only where there is no whole answer. */
  readonly request: (request: PeerRequest) => Promise<PeerAnswer>;
  /** Resolves once the head of the answer is there. */
  readonly stream: (request: PeerRequest) => Promise<PeerStream>;
  /** Lets the server's controllers work for 50 ms or so: by waiting, or by moving a virtual clock. */
  readonly pause: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface PeerRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface PeerAnswer {
  readonly status: number;
  /** Lower-case names; several of one name are joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface PeerStream extends Omit<PeerAnswer, "text"> {
  /** Without line ends. To be iterated once. */
  readonly lines: AsyncIterable<string>;
  readonly close: () => void;
}
