import type { ApiObject } from "./api-object.ts";
import { tolerate } from "./built-in-create.ts";
import type { Part } from "./built-in-visit.ts";
import { sameJson } from "./fields-equal.ts";
import { isMap } from "./fields-value.ts";
import { isFrozen } from "./frozen.ts";

/** A Pod whose update left out what every Pod tolerates. */
export function tolerated(pod: ApiObject): ApiObject {
  // A frozen one is that of the stored Pod.
  if (!isMap(pod.spec) || isFrozen(pod.spec)) return pod;
  const spec: Part = { ...pod.spec };
  tolerate(spec);
  return { ...pod, spec };
}

const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

/** A DaemonSet with the number of times that its template was changed. */
export function countedTemplate(set: ApiObject, before: ApiObject): ApiObject {
  const templateOf = ({ spec }: ApiObject) => (isMap(spec) ? spec.template : undefined);
  const was = Number(before.metadata.annotations?.[TEMPLATE_GENERATION] ?? "0");
  const changed = !sameJson(templateOf(set) ?? {}, templateOf(before) ?? {});
  const count = String(was + (changed ? 1 : 0));
  const annotations = { ...set.metadata.annotations, [TEMPLATE_GENERATION]: count };
  return { ...set, metadata: { ...set.metadata, annotations } };
}
