/** One fault of a field, as it stands in `details.causes`. */
export interface FieldError {
  /** "FieldValueInvalid", "FieldValueRequired", "FieldValueNotSupported", "FieldValueTypeInvalid", ... */
  readonly reason: string;
  readonly message: string;
  /** "spec.replicas" */
  readonly field: string;
}

/** An answer that is not a success: becomes a `Status` body. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: number;
  readonly reason: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The `metadata` of the Status: of an expired page, the token to go on with. */
  readonly metadata: Readonly<Record<string, unknown>>;

  constructor(options: {
    readonly code: number;
    readonly reason: string;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly metadata?: Readonly<Record<string, unknown>>;
  }) {
    super(options.message);
    this.code = options.code;
    this.reason = options.reason;
    if (options.details) this.details = options.details;
    this.headers = options.headers ?? {};
    this.metadata = options.metadata ?? {};
  }
}
