import type { Kind, KubernetesObject } from "../api/object.ts";
import type { CustomResourceDefinition } from "../crd/custom-resource-definition.ts";

/** A CustomResourceDefinition as a cluster answers it. */
export interface Definition extends KubernetesObject {
  readonly spec: CustomResourceDefinition["spec"];
  readonly status?: {
    readonly storedVersions?: readonly string[];
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}
export const Definition: Kind<Definition> = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
};
