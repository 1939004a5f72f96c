import { ownPartsIn, partOf, setMissing } from "./built-in-default.ts";
import type { PartDefaults } from "./built-in-defaults.ts";
import { isPart, type Part } from "./built-in-visit.ts";

/** Defaults of apps and batch, as in pkg/apis/{apps,batch}/v1/defaults.go of Kubernetes 1.37. */
export const appsDefaults: PartDefaults = {
  "apps.v1.DeploymentSpec": (spec) => {
    const rolling = rollingOf(spec, "strategy");
    if (rolling) setMissing(rolling, { maxUnavailable: "25%", maxSurge: "25%" });
    setMissing(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  },
  "apps.v1.DaemonSet": (set) => {
    const annotations = partOf(partOf(set, "metadata"), "annotations");
    setMissing(annotations, { "deprecated.daemonset.template.generation": "1" });
  },
  "apps.v1.DaemonSetSpec": (spec) => {
    const rolling = rollingOf(spec, "updateStrategy");
    if (rolling) setMissing(rolling, { maxUnavailable: 1, maxSurge: 0 });
    setMissing(spec, { revisionHistoryLimit: 10 });
  },
  "apps.v1.ReplicaSetSpec": (spec) => setMissing(spec, { replicas: 1 }),
  "apps.v1.StatefulSetSpec": statefulSetDefaults,
  "batch.v1.Job": (job) => {
    const labels = partOf(partOf(partOf(job, "spec"), "template"), "metadata").labels;
    const metadata = partOf(job, "metadata");
    const own = isPart(metadata.labels) ? metadata.labels : {};
    if (isPart(labels) && Object.keys(own).length === 0) metadata.labels = { ...labels };
    // Only of a Job itself: the template of a CronJob gets no defaults of a Job.
    jobSpecDefaults(partOf(job, "spec"));
  },
  "batch.v1.CronJobSpec": (spec) => {
    setMissing(spec, {
      concurrencyPolicy: "Allow",
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
  },
  "batch.v1.PodFailurePolicyOnPodConditionsPattern": (pattern) => {
    setMissing(pattern, { status: "True" });
  },
};

/** The rolling update of a strategy, made unless the strategy is another one. */
function rollingOf(spec: Part, key: string): Part | undefined {
  const strategy = partOf(spec, key);
  setMissing(strategy, { type: "RollingUpdate" });
  return strategy.type === "RollingUpdate" ? partOf(strategy, "rollingUpdate") : undefined;
}

/** A strategy that names its type gets no rolling update if it has none. */
function statefulSetDefaults(spec: Part): void {
  const strategy = partOf(spec, "updateStrategy");
  if (!strategy.type) {
    strategy.type = "RollingUpdate";
    partOf(strategy, "rollingUpdate");
  }
  if (strategy.type === "RollingUpdate" && isPart(strategy.rollingUpdate)) {
    setMissing(partOf(strategy, "rollingUpdate"), { partition: 0, maxUnavailable: 1 });
  }
  for (const claim of ownPartsIn(spec, "volumeClaimTemplates")) {
    setMissing(claim, { apiVersion: "v1", kind: "PersistentVolumeClaim" });
  }
  const claims = partOf(spec, "persistentVolumeClaimRetentionPolicy");
  setMissing(claims, { whenDeleted: "Retain", whenScaled: "Retain" });
  setMissing(spec, { podManagementPolicy: "OrderedReady", replicas: 1, revisionHistoryLimit: 10 });
}

/** No limit of all, where each index has its own: the largest int32. */
const NO_LIMIT = 2 ** 31 - 1;

function jobSpecDefaults(spec: Part): void {
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  setMissing(spec, {
    parallelism: 1,
    backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : NO_LIMIT,
    completionMode: "NonIndexed",
    suspend: false,
    podReplacementPolicy: spec.podFailurePolicy ? "Failed" : "TerminatingOrFailed",
    manualSelector: false,
  });
}
