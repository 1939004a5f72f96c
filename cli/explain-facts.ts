import { type Kind, type KubernetesObject, keyOf } from "../shared/api/object.ts";
import type { Owned, Watch } from "../shared/api/source.ts";
import { createKubeClient } from "../shared/kube/create-kube-client.ts";
import type { KubeClient } from "../shared/kube/kube-client.ts";
import type { RequestKey } from "../shared/queue/request.ts";
import { usesOf } from "../watcher/uses.ts";
import { type DeadLetter, peekDeadLetters } from "./dead-letters.ts";
import type { ExplainFacts, SourceFact } from "./finding.ts";
import { known, learn, type ObjectFacts } from "./operate-facts.ts";
import { keyText } from "./operate-key.ts";
import { lookAtLease } from "./operate-lease.ts";
import type { Place } from "./operate-place.ts";
import { queueCounts, queueUrls } from "./operate-queues.ts";
import { sightOf } from "./operate-sight.ts";

/** So many dead letters are looked through for those of one object. */
const LETTERS = 200;
const HEALTH_LIMIT_MS = 2_000;

/** Adds to the facts of an object what only `explain` asks for. */
export async function explainFacts(
  place: Place,
  facts: ObjectFacts,
  signal?: AbortSignal,
): Promise<ExplainFacts> {
  const [lease, clusterUid, sources, deadLetters, unseen] = await Promise.all([
    learn(lookAtLease(place.leases, place.clock.clock, signal)),
    learn(uidOfCluster(place)),
    learn(sourcesOfWatcher(place)),
    learn(lettersOf(place, facts.key)),
    learn(unseenBy(place, facts)),
  ]);
  return { ...facts, lease, clusterUid, sources, deadLetters, unseen };
}

const Namespace: Kind = {
  apiVersion: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
};

async function uidOfCluster(place: Place): Promise<string> {
  const client = createKubeClient(await place.kube());
  const namespace = await client.get(Namespace, { namespace: "", name: "kube-system" });
  if (!namespace) throw new Error("there is no namespace kube-system");
  return namespace.metadata.uid;
}

async function sourcesOfWatcher({ watcherUrl }: Place): Promise<readonly SourceFact[]> {
  if (watcherUrl === undefined) throw new Error("the watcher cannot be asked from here");
  const signal = AbortSignal.timeout(HEALTH_LIMIT_MS);
  const answer = (await (await fetch(`${watcherUrl}/readyz`, { signal })).json()) as {
    readonly sources: readonly SourceFact[];
  };
  return answer.sources;
}

async function lettersOf({ sqs }: Place, key: RequestKey): Promise<readonly DeadLetter[]> {
  const { deadLetterQueueUrl } = await queueUrls(sqs, key);
  const { waiting } = await queueCounts(sqs, deadLetterQueueUrl);
  if (waiting === 0) return [];
  const letters = await peekDeadLetters(sqs, { queueUrl: deadLetterQueueUrl, limit: LETTERS });
  return letters.filter(
    ({ request }) => request?.namespace === key.namespace && request.name === key.name,
  );
}

/** The objects that it owns, or uses by `usedBy`, and that the last run did not see as they are. */
async function unseenBy(place: Place, facts: ObjectFacts): Promise<readonly string[]> {
  const { controller, record } = facts;
  const object = known(facts.object);
  if (!object || !record?.seen) return [];
  const client = createKubeClient(await place.kube());
  const owned = controller.owns.map((entry) => ownedBy(client, entry, object));
  const used = controller.watches.map((entry) => usedBy(client, entry, object));
  const related = (await Promise.all([...owned, ...used])).flat();
  return related
    .filter((each) => sightOf(controller, record, { kind: each, object: each }) === "different")
    .map((each) => `${each.kind} ${keyText(keyOf(each))}`);
}

async function ownedBy(
  client: KubeClient,
  { kind, labels, fields, anyOwner }: Owned,
  owner: KubernetesObject,
): Promise<readonly KubernetesObject[]> {
  const { namespace = "", uid } = owner.metadata;
  const selectors = {
    ...(labels !== undefined && { labels }),
    ...(fields !== undefined && { fields }),
  };
  const objects = await client.list(kind, { namespace, ...selectors });
  return objects.filter(({ metadata }) =>
    metadata.ownerReferences?.some((each) => each.uid === uid && (anyOwner || each.controller)),
  );
}

async function usedBy(
  client: KubeClient,
  watch: Watch,
  user: KubernetesObject,
): Promise<readonly KubernetesObject[]> {
  if (!watch.usedBy) return []; // Only the watcher's index knows those.
  const found = usesOf(watch, user).map((text) => {
    const slash = text.indexOf("/");
    return client.get(watch.kind, { namespace: text.slice(0, slash), name: text.slice(slash + 1) });
  });
  return (await Promise.all(found)).filter((each) => each !== undefined);
}
