import type { ExplainFacts, Finding } from "./finding.ts";
import { known } from "./operate-facts.ts";
import type { LeaseFact } from "./operate-lease.ts";

/** Whether a watcher turns changes into requests. */
export function watcherFindings(facts: ExplainFacts): Finding[] {
  const lease = known(facts.lease);
  const led = lease ? leaseFindings(facts, lease) : unknownLease(facts);
  return [...led, ...deployFindings(facts), ...sourceFindings(facts)];
}

function unknownLease({ lease }: ExplainFacts): Finding[] {
  if (!("unknown" in lease)) return [];
  const text = `whether a watcher leads could not be found out: ${lease.unknown}`;
  return [{ code: "lease-unknown", level: "info", text }];
}

function leaseFindings(facts: ExplainFacts, lease: LeaseFact): Finding[] {
  const { cluster } = facts.key;
  const own = known(facts.clusterUid);
  const { clusterUid } = lease;
  const foreign = own !== undefined && clusterUid !== undefined && own !== clusterUid;
  return [...(foreign ? [otherCluster(cluster)] : []), leaderFinding(cluster, lease)];
}

function otherCluster(cluster: string): Finding {
  return {
    code: "other-cluster",
    level: "problem",
    text: `the objects were read from another cluster than the one that the watcher of "${cluster}" watches`,
    todo: "name the right one with --kubeconfig and --context, or with --cluster",
  };
}

function leaderFinding(cluster: string, { state, holder }: LeaseFact): Finding {
  const todo = "start tidegate dev, or look at the watcher's Deployment and its log";
  switch (state) {
    case "held":
      return { code: "led", level: "info", text: `the watcher ${holder} leads` };
    case "none": {
      const text = `no watcher ever led for the cluster "${cluster}": changes make no requests`;
      return { code: "no-watcher", level: "problem", text, todo };
    }
    case "released": {
      const text = "the watcher stopped, and none leads: changes make no requests until one does";
      return { code: "watcher-stopped", level: "problem", text, todo };
    }
    case "silent": {
      const text = `the watcher ${holder} does not renew its lease: if it died, another one leads within seconds of that, and else none does`;
      return { code: "watcher-silent", level: "problem", text, todo };
    }
  }
}

function deployFindings({ controller, key, revision }: ExplainFacts): Finding[] {
  if (revision !== undefined) return [];
  return [
    {
      code: "not-deployed",
      level: "problem",
      text: `${controller.name} was never deployed for the cluster "${key.cluster}": the table names no code of it`,
      todo: "deploy it, or check --table and --cluster",
    },
  ];
}

function sourceFindings({ controller, sources }: ExplainFacts): Finding[] {
  const own = (known(sources) ?? []).filter(({ controllers }) =>
    controllers.includes(controller.name),
  );
  return own.flatMap(({ name, state, reason = "" }): Finding[] => {
    if (state === "unavailable") {
      const text = `the watcher cannot watch ${name}: ${reason}`;
      const todo = "mend the access, or install the kind; the watcher tries again by itself";
      return [{ code: "source-unavailable", level: "problem", text, todo }];
    }
    if (state !== "syncing") return [];
    const text = `the watcher still lists ${name}; until it has, it forwards nothing of ${controller.name}`;
    return [{ code: "source-syncing", level: "waiting", text }];
  });
}
