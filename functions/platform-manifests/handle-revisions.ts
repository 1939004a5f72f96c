import type { RevisionsProperties } from "../../shared/platform/custom-resources.ts";
import type { CustomResourceEvent, Host, Outcome } from "./custom-resource.ts";
import { readRevisionsProperties } from "./read-properties.ts";

/**
 * Tells the watcher which code is deployed (`Custom::TidegateRevisions`), for those who apply the manifests
 * themselves. Deletion leaves what was told: without a controller nobody reads it.
 */
export async function handleRevisions(event: CustomResourceEvent, host: Host): Promise<Outcome> {
  const properties = readRevisionsProperties(event.ResourceProperties);
  const { cluster, table } = properties;
  if (event.RequestType !== "Delete") await putRevisions(host, properties);
  return { physicalId: `tidegate:${cluster}:${table}:revisions` };
}

export async function putRevisions(host: Host, properties: RevisionsProperties): Promise<void> {
  const { cluster, table, revisions } = properties;
  for (const [controller, revision] of Object.entries(revisions)) {
    await host.putRevision({ table, cluster, controller, revision });
  }
}
