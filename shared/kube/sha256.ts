import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";

type Source = string | ArrayBuffer | ArrayBufferView;

/** Node's SHA-256, as the SDK's signer wants it. */
export class Sha256 {
  readonly #secret: Source | undefined;
  #hash: Hash | Hmac;

  constructor(secret?: Source) {
    this.#secret = secret;
    this.#hash = this.#begun();
  }

  update(data: Source): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return new Uint8Array(this.#hash.digest());
  }

  reset(): void {
    this.#hash = this.#begun();
  }

  #begun(): Hash | Hmac {
    if (this.#secret === undefined) return createHash("sha256");
    return createHmac("sha256", bytesOf(this.#secret));
  }
}

function bytesOf(data: Source): string | Uint8Array {
  if (typeof data === "string") return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
