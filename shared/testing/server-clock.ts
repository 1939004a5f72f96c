import { systemClock } from "../clock.ts";
import type { ServerTraffic } from "./server-traffic.ts";
import { idle, VirtualClock } from "./virtual-clock.ts";

/** A server tells a watch of a change within some milliseconds; a busy machine takes longer. */
const ECHO_MS = 40;

/**
 * A virtual clock for a cluster whose API server is another process. Time passes as in memory, but
 * never past a request that is not answered, nor past a write before watches had a while to tell of
 * it. Its wall clock is never behind the machine's, by which the server writes its times.
 */
export class ServerClock extends VirtualClock {
  constructor(traffic: ServerTraffic) {
    super(systemClock.nowMs(), async () => {
      await answered(traffic);
      const behindMs = systemClock.nowMs() - this.nowMs();
      if (behindMs > 0) this.step(behindMs);
    });
  }

  override async advance(ms: number): Promise<void> {
    // What the server did by itself meanwhile is told first.
    await systemClock.sleep(ECHO_MS);
    await super.advance(ms);
  }
}

async function answered(traffic: ServerTraffic): Promise<void> {
  await idle();
  for (let quiet = false; !quiet; ) {
    const written = await traffic.answered();
    if (written) await systemClock.sleep(ECHO_MS);
    await idle();
    quiet = !written && traffic.quiet;
  }
}
