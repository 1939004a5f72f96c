import { Stack } from "aws-cdk-lib";
import type { Construct, IConstruct } from "constructs";

/** By app: which construct made the queue of a name, in an account and region. */
const claims = new WeakMap<IConstruct, Map<string, string>>();

/**
 * Fails when the app makes a queue of this name already: the same controller twice for a cluster, or
 * names that are alike when joined, as cluster "a" with controller "b-c" and "a-b" with "c".
 */
export function claimQueue(scope: Construct, name: string): void {
  const { account, region } = Stack.of(scope);
  const known = claims.get(scope.node.root) ?? new Map<string, string>();
  claims.set(scope.node.root, known);
  const place = `${account}/${region}/${name}`;
  const other = known.get(place);
  if (other !== undefined) {
    throw new Error(
      `cannot add a controller to ${scope.node.path}: expected queue ${name} once in an account and region, got it in ${other} too; add each controller once a cluster, or rename it`,
    );
  }
  known.set(place, scope.node.path);
}
