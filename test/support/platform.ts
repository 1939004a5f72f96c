import type { Kind } from "../../shared/api/object.ts";
import {
  MemoryPlatform,
  type MemoryPlatformOptions,
} from "../../shared/testing/memory-platform.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { FakeCluster } from "./fake-cluster.ts";

export interface PlatformOptions extends Omit<MemoryPlatformOptions, "transport" | "clock"> {
  readonly clock?: VirtualClock;
  /** Kinds that the cluster serves beside the built-in ones and those of `for`. */
  readonly kinds?: readonly Kind[];
}

/** How long everything must be at rest to count as settled: above a held key's longest wait. */
const REST_MS = 3_000;
const STEP_MS = 100;

/** Tidegate in memory over a cluster that tests can make lie. */
export class Platform extends MemoryPlatform {
  readonly cluster: FakeCluster;

  constructor(options: PlatformOptions) {
    const clock = options.clock ?? new VirtualClock();
    const cluster = new FakeCluster({ clock });
    super({ ...options, clock, transport: cluster });
    this.cluster = cluster;
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "kube-system" } };
    cluster.apply(namespace);
    for (const [controller] of options.controllers) cluster.serve(controller.for);
    for (const kind of options.kinds ?? []) cluster.serve(kind);
  }

  /** Bodies of what was given up. */
  get deadLetters(): string[] {
    const dead = [...this.sqs.queues.values()].filter(({ name }) => name.startsWith("dead-"));
    return dead.flatMap((queue) => [...queue.messages()].map(({ body }) => body));
  }

  /** Lets time pass until nothing is on its way; what waits for a timer or a backoff is not waited for. */
  async settled(): Promise<void> {
    for (let restMs = 0, steps = 0; restMs < REST_MS; steps += 1) {
      if (steps > 6_000) throw new Error("the platform does not come to rest within ten minutes");
      await this.clock.advance(STEP_MS);
      restMs = this.busy ? 0 : restMs + STEP_MS;
    }
  }
}

/** A platform that leads and has nothing to do. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const platform = new Platform(options);
  await platform.deploy();
  platform.startWatcher();
  await platform.advance(2_000);
  return platform;
}
