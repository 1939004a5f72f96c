/** Structured log: a constant message, everything that varies in fields. */
export interface Logger {
  readonly debug: (message: string, fields?: LogFields) => void;
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
}

export type LogFields = Readonly<Record<string, unknown>>;
