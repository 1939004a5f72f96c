import type { Logger } from "../shared/api/log.ts";
import { type KubernetesObject, keyOf } from "../shared/api/object.ts";
import type { Clock } from "../shared/clock.ts";
import type { ReflectedChange } from "../shared/kube/reflected.ts";
import { Reflector } from "../shared/kube/reflector.ts";
import { sourceText } from "../shared/kube/reflector-source.ts";
import type { KubeRequest, Transport } from "../shared/kube/wire.ts";
import type { Metrics } from "../shared/telemetry/metrics.ts";
import type { Feed } from "./controller-sources.ts";
import type { KeptObject } from "./kept-object.ts";
import { repeatsOnce } from "./repeats-once.ts";
import type { PlannedReflector } from "./source-plan.ts";

export interface SourceReflectorOptions {
  readonly plan: PlannedReflector;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly onChange: (change: ReflectedChange<KeptObject>, from: SourceReflector) => void;
}

/** What people and probes are told of one source. */
export interface SourceState {
  /** "websites.web.example.com in namespace a" */
  readonly name: string;
  readonly controllers: readonly string[];
  /** "absent": the kind is not served, which its sources said may be so. */
  readonly state: "synced" | "syncing" | "unavailable" | "absent";
  /** Why it is unavailable. */
  readonly reason?: string;
  readonly objects: number;
  /** Milliseconds since a byte came or a request was sent. Long: its loop is dead. */
  readonly idleMs: number;
}

/** One reflector for all views of the same objects. */
export class SourceReflector implements Feed {
  readonly plan: PlannedReflector;
  readonly name: string;
  readonly #options: SourceReflectorOptions;
  readonly #reflector: Reflector<KeptObject>;
  /** Whether all who want it said that the kind may be missing. */
  readonly #optional: boolean;
  #askedAtMs: number;

  constructor(options: SourceReflectorOptions) {
    const { plan, clock, random } = options;
    this.plan = plan;
    this.name = sourceText(plan);
    this.#optional = plan.views.every(({ source }) => source.optional);
    this.#options = options;
    this.#askedAtMs = clock.monotonicMs();
    const { views: _, ...source } = plan;
    this.#reflector = new Reflector<KeptObject>({
      ...source,
      transport: this.#watched(options.transport),
      clock,
      random,
      keep: this.#keep,
      onChange: (change) => options.onChange(change, this),
      log: repeatsOnce(this.#calm(options.log), clock, () => this.health().unavailable ?? ""),
    });
  }

  readonly health = () => this.#reflector.health();
  readonly get = (key: Parameters<Feed["get"]>[0]) => this.#reflector.get(key);
  readonly entries = () => this.#reflector.entries();
  readonly run = (signal: AbortSignal) => this.#reflector.run(signal);

  state(): SourceState {
    const { synced, unavailable, objects, silentMs } = this.health();
    const missing = this.#absent ? "absent" : "unavailable";
    return {
      name: this.name,
      controllers: [...new Set(this.plan.views.map(({ controller }) => controller.name))],
      state: unavailable !== undefined ? missing : synced ? "synced" : "syncing",
      ...(unavailable !== undefined && { reason: unavailable }),
      objects,
      idleMs: Math.min(silentMs, this.#options.clock.monotonicMs() - this.#askedAtMs),
    };
  }

  get #absent(): boolean {
    return this.#optional && (this.health().unavailable ?? "").startsWith("404");
  }

  /** That an optional kind is not served is no warning. */
  #calm(log: Logger): Logger {
    return {
      ...log,
      warn: (message, fields) => {
        if (!this.#absent) return log.warn(message, fields);
        log.info("an optional kind is not served; it is looked for again", { source: this.name });
      },
    };
  }

  readonly #keep = (object: KubernetesObject, before: KeptObject | undefined): KeptObject => {
    const { uid, resourceVersion, deletionTimestamp } = object.metadata;
    return {
      key: keyOf(object),
      uid,
      resourceVersion,
      deleting: deletionTimestamp !== undefined,
      views: this.plan.views.map((view, slot) => view.keep(object, before?.views[slot])),
    };
  };

  /** Notes each request, so that a server that does not answer is told from a loop that does not ask. */
  #watched({ request, stream, close }: Transport): Transport {
    const { clock } = this.#options;
    const noted = <T>(call: (asked: KubeRequest) => Promise<T>) => {
      return (asked: KubeRequest) => {
        this.#askedAtMs = clock.monotonicMs();
        return call(asked);
      };
    };
    return { request: noted(request), stream: noted(stream), close };
  }
}
