import type { Clock } from "../../shared/clock.ts";
import { type ApiAnswer, type ApiRequest, partsOf } from "./api-request.ts";
import { jsonAnswer } from "./api-status.ts";
import { KUBERNETES_VERSION } from "./built-in-resources.ts";
import { openApiV2 } from "./openapi-v2.ts";
import { methodNotAllowed, notServed } from "./registry-errors.ts";
import type { ResourceCatalog } from "./resource-catalog.ts";
import { REVIEWS, reviewAt } from "./reviews.ts";
import type { ServedResource } from "./served-resource.ts";

/** Answers paths that are no resources: version, health, reviews of access. */
export function serverPaths({
  clock,
}: {
  readonly clock: Clock;
}): (request: ApiRequest) => ApiAnswer | undefined {
  return ({ method, path, body, headers }) => {
    const review = reviewAt(path);
    if (review) {
      if (method !== "POST") throw methodNotAllowed();
      return review(body, clock);
    }
    if (path === "/version" || path === "/version/") {
      if (method !== "GET") throw methodNotAllowed();
      return jsonAnswer(200, version());
    }
    if (method === "GET" && path === "/openapi/v2") return openApiV2(headers.accept ?? "");
    if (method === "GET" && HEALTH.test(path)) return textAnswer(200, "ok");
    return undefined;
  };
}

const HEALTH = /^\/(healthz|livez|readyz)(\/ping)?$/;

/**
 * The answer to a path that names nothing. Built-in groups tell so with a Status (it is thrown), all
 * else, groups of definitions included, with a line of text.
 */
export function unservedAnswer(path: string, catalog: ResourceCatalog): ApiAnswer {
  const [root, group = ""] = partsOf(path);
  const ofGroup = (each: ServedResource) => !each.custom && each.group === group;
  const builtIn = group in REVIEWS || catalog.all().some(ofGroup);
  if (root === "api" || (root === "apis" && builtIn)) throw notServed();
  return textAnswer(404, "404 page not found\n");
}

function textAnswer(status: number, body: string): ApiAnswer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}

function version(): object {
  const [major = "1", minor = "0"] = KUBERNETES_VERSION.replace(/^v/, "").split(".");
  return { major, minor, gitVersion: `${KUBERNETES_VERSION}+tidegate`, platform: "node" };
}
