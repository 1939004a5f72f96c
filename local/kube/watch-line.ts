import type { ApiError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { objectAnswer } from "./list-answer.ts";
import type { Format } from "./list-format.ts";
import { objectJson } from "./object-json.ts";
import type { ServedResource } from "./served-resource.ts";
import { tableOfObject } from "./table.ts";
import { bookmarkOf } from "./watch-bookmark.ts";

/** Writes the events of one watch in the form that was asked for. */
export class WatchLines {
  readonly #resource: ServedResource;
  readonly #format: Format;
  readonly #nowMs: () => number;
  /** The columns of a table are told once. */
  #columns = true;

  constructor(resource: ServedResource, format: Format, nowMs: () => number) {
    this.#resource = resource;
    this.#format = format;
    this.#nowMs = nowMs;
  }

  /** @param object As it is served. */
  line(type: string, object: ApiObject): string {
    return `{"type":"${type}","object":${this.#json(object)}}`;
  }

  bookmark(resourceVersion: number, { initial }: { readonly initial: boolean }): string {
    return this.line("BOOKMARK", bookmarkOf(this.#resource, { resourceVersion, initial }));
  }

  #json(object: ApiObject): string {
    const format = this.#format;
    const resource = this.#resource;
    if (format.as === "Object") return objectJson(object);
    if (format.as !== "Table") {
      return objectJson(objectAnswer(object, { resource, format, nowMs: this.#nowMs() }));
    }
    const options = { ...format, resource, nowMs: this.#nowMs(), columns: this.#columns };
    this.#columns = false;
    return JSON.stringify(tableOfObject(object, options));
  }
}

/** An event that ends a watch: the Status of an error. */
export function errorLine({ code, reason, message, details }: ApiError): string {
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    ...(reason !== "" && { reason }),
    ...(details && { details }),
    code,
  };
  return JSON.stringify({ type: "ERROR", object: status });
}
