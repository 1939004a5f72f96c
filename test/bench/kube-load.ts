import { accessOf, type KubeConnection } from "../../local/kube-apiserver/kube-request.ts";
import { systemClock } from "../../shared/clock.ts";
import type { CustomResourceDefinition } from "../../shared/crd/custom-resource-definition.ts";
import { createTransport } from "../../shared/kube/transport.ts";
import type { KubeRequest, Transport } from "../../shared/kube/wire.ts";

/** So many requests are under way at a time: enough to keep an API server busy. */
const CONCURRENCY = 32;

/** A connection with which the benchmark makes load and looks at the cluster. */
export function loadTransport(connection: KubeConnection): Transport {
  return createTransport(accessOf(connection), { clock: systemClock });
}

/** Sends one request. Rejects when it is not answered with 2xx. */
export async function send(transport: Transport, request: KubeRequest): Promise<unknown> {
  const { status, body } = await transport.request(request);
  if (status >= 200 && status < 300) return body;
  const { message = "no message" } = (body ?? {}) as { message?: string };
  throw new Error(
    `cannot ${request.method} ${request.path}: expected 2xx, got ${status}: ${message}`,
  );
}

/** Sends `count` requests, so many at a time that the server is busy. Rejects at the first failure. */
export async function sendAll(
  transport: Transport,
  count: number,
  requestOf: (index: number) => KubeRequest,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < count; index = next++) {
      await send(transport, requestOf(index));
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, count) }, lane));
}

export async function createNamespace(transport: Transport, name: string): Promise<void> {
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
  await send(transport, { method: "POST", path: "/api/v1/namespaces", body });
}

/** Installs a CustomResourceDefinition and waits until the server serves its kind. */
export async function installCrd(
  transport: Transport,
  crd: CustomResourceDefinition,
): Promise<void> {
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await send(transport, { method: "POST", path, body: crd });
  const { group, names, versions } = crd.spec;
  const served = {
    method: "GET",
    path: `/apis/${group}/${versions[0]?.name}/${names.plural}`,
  } as const;
  while ((await transport.request(served)).status !== 200) await systemClock.sleep(100);
}
