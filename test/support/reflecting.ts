import { ConfigMap } from "../../shared/api/kinds.ts";
import { type Kind, type KubernetesObject, keyOf } from "../../shared/api/object.ts";
import type { Kept, ReflectedChange } from "../../shared/kube/reflected.ts";
import { Reflector } from "../../shared/kube/reflector.ts";
import type { ReflectorOptions } from "../../shared/kube/reflector-options.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { recordedLog } from "./recorded-log.ts";
import { ScriptedTransport } from "./scripted-transport.ts";

export interface KeptObject extends Kept {
  readonly object: KubernetesObject;
}

export function keptObject(object: KubernetesObject): KeptObject {
  const { uid, resourceVersion } = object.metadata;
  return { key: keyOf(object), uid, resourceVersion, object };
}

/** "added x@1", "modified x@1>2", "deleted x@2", "deleted x@2 unknown". */
export function changeText(change: ReflectedChange<Kept>): string {
  const { type, now } = change;
  const before = type === "modified" ? `${change.before.resourceVersion}>` : "";
  const unknown = type === "deleted" && change.finalStateUnknown ? " unknown" : "";
  return `${type} ${now.key.name}@${before}${now.resourceVersion}${unknown}`;
}

/** A reflector of ConfigMaps on a scripted server, its random numbers all 0, started at once. */
export function reflecting(options: Partial<ReflectorOptions<KeptObject>> = {}) {
  const clock = new VirtualClock();
  const transport = new ScriptedTransport(clock);
  const { log, logged } = recordedLog();
  const told: string[] = [];
  const stop = new AbortController();
  const reflector = new Reflector<KeptObject>({
    transport,
    clock,
    random: () => 0,
    kind: ConfigMap as Kind,
    full: true,
    keep: keptObject,
    onChange: (change) => told.push(changeText(change)),
    log,
    startDelayMs: 0,
    ...options,
  });
  const start = () => reflector.run(stop.signal);
  const names = () => [...reflector.entries()].map(({ key }) => key.name).sort();
  return { clock, transport, reflector, told, stop, start, logged, names };
}
