import type { ApiAnswer, ApiRequest } from "./api-request.ts";
import { jsonAnswer } from "./api-status.ts";
import { KUBERNETES_VERSION } from "./built-in-resources.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";

/** Answers paths that are no resources: version, health, reviews of access. */
export function serverPaths(_options: {
  readonly catalog: ResourceCatalog;
}): (request: ApiRequest) => ApiAnswer | undefined {
  return ({ method, path }) => {
    if (method !== "GET") return undefined;
    if (path === "/version") return jsonAnswer(200, version());
    if (["/healthz", "/livez", "/readyz"].includes(path)) {
      return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body: "ok" };
    }
    return undefined;
  };
}

function version(): object {
  const [major = "1", minor = "0"] = KUBERNETES_VERSION.replace(/^v/, "").split(".");
  return { major, minor, gitVersion: `${KUBERNETES_VERSION}+tidegate`, platform: "node" };
}
