import {
  BUNDLE_FILE,
  bundleName,
  CONFIG,
  SELECTOR,
  WATCHER,
  type WatcherOptions,
} from "./watcher-options.ts";
import { watcherPod } from "./watcher-pod.ts";

/** The watcher in its namespace, whose service account and roles are there: what it is told, and its pods. */
export function watcherManifests(namespace: string, options: WatcherOptions): readonly object[] {
  const { bundle, config } = options;
  const at = (name: string) => ({ name, namespace });
  return [
    { apiVersion: "v1", kind: "ConfigMap", metadata: at(CONFIG), data: sorted(config) },
    ...(bundle ? [bundleMap(at(bundleName(bundle)), bundle)] : []),
    {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: at(WATCHER),
      spec: {
        maxUnavailable: 1,
        selector: { matchLabels: SELECTOR },
        // A pod that does not work stops nobody who drains a node.
        unhealthyPodEvictionPolicy: "AlwaysAllow",
      },
    },
    deployment(at(WATCHER), options),
  ];
}

function deployment(metadata: object, options: WatcherOptions): object {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { ...metadata, labels: SELECTOR },
    spec: {
      replicas: 2,
      revisionHistoryLimit: 2,
      // The old leader works until a new one is ready to take over.
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      selector: { matchLabels: SELECTOR },
      template: { metadata: { labels: SELECTOR }, spec: watcherPod(options) },
    },
  };
}

/** The most that an object's data may take. https://kubernetes.io/docs/concepts/configuration/configmap/ */
const MAX_BUNDLE_BYTES = 1024 * 1024;

function bundleMap(metadata: object, bundle: Uint8Array): object {
  if (bundle.byteLength > MAX_BUNDLE_BYTES) {
    throw new Error(
      `cannot put the watcher into a ConfigMap: expected at most ${MAX_BUNDLE_BYTES} bytes in gzip, got ${bundle.byteLength}; build an image instead, or import less in controller.ts`,
    );
  }
  const binaryData = { [BUNDLE_FILE]: Buffer.from(bundle).toString("base64") };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, immutable: true, binaryData };
}

function sorted(config: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(config).sort(([a], [b]) => (a < b ? -1 : 1)));
}
