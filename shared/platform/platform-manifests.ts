import type { Controller } from "../api/controller.ts";
import type { CustomResourceDefinition } from "../crd/custom-resource-definition.ts";
import { functionRoles, watcherRoles } from "../crd/roles.ts";
import { withChecksum } from "./config-checksum.ts";
import { platformLabels } from "./platform-labels.ts";
import { watcherManifests } from "./watcher-manifests.ts";
import { WATCHER, type WatcherOptions } from "./watcher-options.ts";

export interface PlatformOptions {
  readonly controllers: readonly Controller[];
  readonly crds: readonly CustomResourceDefinition[];
  /** Of the watcher. */
  readonly namespace: string;
  /** Begins all names in the cluster. */
  readonly platform: string;
  /** Absent: somebody else runs the watcher. */
  readonly watcher?: WatcherOptions;
}

/**
 * What must be in a cluster, by file. The numbers are the order in which kubectl applies them. All but
 * the definitions, which outlive a platform, have its labels. The same options give the same manifests.
 */
export function platformManifests(
  options: PlatformOptions,
): ReadonlyMap<string, readonly object[]> {
  const { crds, namespace, platform, watcher: program } = options;
  const controllers = options.controllers.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const account = { kind: "ServiceAccount", name: WATCHER, namespace } as const;
  const files: [string, readonly object[]][] = [
    ["00-crds.yaml", crds.map(kept)],
    ["10-namespace.yaml", [namespaceNamed(namespace)]],
    [
      "20-watcher.yaml",
      [
        serviceAccount(namespace, program?.roleArn),
        ...watcherRoles(controllers, { subject: account, platform }),
      ],
    ],
    ...controllers.map((controller): [string, readonly object[]] => {
      const subject = { kind: "Group", name: `${platform}:function:${controller.name}` } as const;
      return [
        `30-function-${controller.name}.yaml`,
        functionRoles(controller, { subject, platform }),
      ];
    }),
    ["40-flow-schema.yaml", [flowSchema(platform)]],
    ["50-watcher.yaml", program ? withChecksum(watcherManifests(namespace, program)) : []],
  ];
  const labels = platformLabels(platform);
  return new Map(
    files
      .filter(([, manifests]) => manifests.length > 0)
      .map(([file, manifests]) => [
        file,
        manifests.map((each) => labelled(each as Manifest, labels)),
      ]),
  );
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly labels?: object };
}

function labelled(manifest: Manifest, labels: object): object {
  const { kind, metadata } = manifest;
  if (kind === "CustomResourceDefinition") return manifest;
  return { ...manifest, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } };
}

function namespaceNamed(name: string): object {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

/** https://docs.aws.amazon.com/eks/latest/userguide/associate-service-account-role.html */
function serviceAccount(namespace: string, roleArn: string | undefined): object {
  const annotations = roleArn && { "eks.amazonaws.com/role-arn": roleArn };
  return {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: WATCHER, namespace, ...(annotations && { annotations }) },
    automountServiceAccountToken: false,
  };
}

/**
 * A definition that Argo CD applies before all else and never prunes: with it would go every object.
 * https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#no-prune-resources
 */
function kept({ apiVersion, kind, metadata, spec }: CustomResourceDefinition): object {
  const annotations = {
    "argocd.argoproj.io/sync-options": "Prune=false",
    "argocd.argoproj.io/sync-wave": "-1",
  };
  return { apiVersion, kind, metadata: { ...metadata, annotations }, spec };
}

/**
 * Functions come from outside of the cluster, so the API server would have them share the level of
 * all that it does not know, kubectl included. With this they are as controllers in pods are, each
 * function a flow of its own. https://kubernetes.io/docs/concepts/cluster-administration/flow-control/
 */
function flowSchema(platform: string): object {
  const all = ["*"];
  return {
    apiVersion: "flowcontrol.apiserver.k8s.io/v1",
    kind: "FlowSchema",
    metadata: { name: platform },
    spec: {
      priorityLevelConfiguration: { name: "workload-low" },
      matchingPrecedence: 5000,
      distinguisherMethod: { type: "ByUser" },
      rules: [
        {
          subjects: [{ kind: "Group", group: { name: `${platform}:functions` } }],
          resourceRules: [
            { verbs: all, apiGroups: all, resources: all, clusterScope: true, namespaces: all },
          ],
        },
      ],
    },
  };
}
