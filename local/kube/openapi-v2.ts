import type { ApiAnswer } from "./api-request.ts";
import { jsonAnswer } from "./api-status.ts";
import { KUBERNETES_VERSION } from "./built-in-resources.ts";

/**
 * An OpenAPI v2 document without paths. kubectl falls back to it for kinds that v3 does not have, such
 * as v1 List, and takes it in protobuf alone: https://github.com/google/gnostic-models (openapiv2.Document).
 */
export function openApiV2(accept: string): ApiAnswer {
  const [title, version] = ["Kubernetes", KUBERNETES_VERSION];
  if (!accept.includes("protobuf")) {
    return jsonAnswer(200, { swagger: "2.0", info: { title, version }, paths: {} });
  }
  return {
    status: 200,
    headers: { "content-type": "application/com.github.proto-openapi.spec.v2.v1.0+protobuf" },
    body: field(1, "2.0") + field(2, field(1, title) + field(2, version)),
  };
}

/** A text of less than 128 bytes as a protobuf field. */
function field(id: number, value: string): string {
  return String.fromCharCode(id * 8 + 2, value.length) + value;
}
