import { digest } from "./digest.ts";
import type { RequestKey } from "./request.ts";

/** Records of a controller, and timers of a cluster, are spread over so many partitions. */
export const SHARD_COUNT = 16;

/** The shard of a key, 0 to 15, by hash. */
export function shardOf({ cluster, controller, namespace, name }: RequestKey): number {
  return digest(cluster, controller, namespace, name).readUInt8(0) % SHARD_COUNT;
}

/** Primary key of a record in the table. Fails when cluster or controller hold the delimiter. */
export function recordItemKey(key: RequestKey): { readonly pk: string; readonly sk: string } {
  return { pk: recordPartition(key, shardOf(key)), sk: `${key.namespace}/${key.name}` };
}

/** The partition key of one shard of a controller's records. */
export function recordPartition(
  { cluster, controller }: Pick<RequestKey, "cluster" | "controller">,
  shard: number,
): string {
  return `object#${part("cluster", cluster)}#${part("controller", controller)}#${shard}`;
}

/** The key that `recordItemKey` made. */
export function keyOfItem({ pk, sk }: { pk: string; sk: string }): RequestKey {
  const [kind, cluster, controller] = pk.split("#");
  const slash = sk.indexOf("/");
  if (kind !== "object" || cluster === undefined || controller === undefined || slash < 0) {
    throw new Error(
      `cannot read the key of item ${pk} ${sk}: expected pk "object#<cluster>#<controller>#<shard>" and sk "<namespace>/<name>"`,
    );
  }
  return { cluster, controller, namespace: sk.slice(0, slash), name: sk.slice(slash + 1) };
}

/** Partition of the index `due` in which the timers of a shard are. */
export function dueShard(cluster: string, shard: number): string {
  return `${part("cluster", cluster)}#${shard}`;
}

/** The partition of a cluster's revision items; their sort key is the controller's name. */
export function revisionPartition(cluster: string): string {
  return `controller#${part("cluster", cluster)}`;
}

function part(what: string, value: string): string {
  if (value === "" || value.includes("#")) {
    throw new Error(
      `cannot make a table key: expected a ${what} without "#", got "${value}"; rename it`,
    );
  }
  return value;
}
