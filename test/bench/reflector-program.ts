// Holds all ConfigMaps as the watcher does, prints what that cost, and exits.
// node --expose-gc reflector-program.ts ACCESS_FILE metadata|full
import { ConfigMap, type Controller, defineController } from "../../shared/api/index.ts";
import { systemClock } from "../../shared/clock.ts";
import { fileAccess } from "../../shared/kube/file-access.ts";
import { createTransport } from "../../shared/kube/transport.ts";
import { createLogger } from "../../shared/telemetry/log.ts";
import { noMetrics } from "../../shared/telemetry/metrics.ts";
import { controllerViews } from "../../watcher/controller-views.ts";
import { planReflectors } from "../../watcher/source-plan.ts";
import { SourceReflector } from "../../watcher/source-reflector.ts";
import { userCode } from "../../watcher/user-code.ts";
import { printSyncCost } from "./sync-cost.ts";

const [accessFile = "", mode] = process.argv.slice(2);

/** A predicate over whole objects: the watcher must then keep them whole, as an informer does. */
const controllers: Record<string, Controller> = {
  metadata: defineController({ name: "metadata", for: ConfigMap }),
  full: defineController({ name: "full", for: ConfigMap, predicate: () => true }),
};

const controller = controllers[mode ?? ""];
if (!controller) throw new Error(`cannot reflect: expected metadata or full, got ${mode}`);

const clock = systemClock;
const log = createLogger({ write: (line) => console.error(line), nowMs: clock.nowMs });
const { views } = controllerViews(controller, userCode(log, noMetrics, clock.monotonicMs));
const [plan, ...others] = planReflectors(views);
if (!plan || others.length > 0) throw new Error("cannot reflect: expected one source");
const transport = createTransport(await fileAccess(accessFile, { clock }), { clock, log });
const common = { transport, clock, random: () => 0, log, metrics: noMetrics };

await printSyncCost(async () => {
  let told = 0;
  const synced = Promise.withResolvers<undefined>();
  const reflector = new SourceReflector({
    ...common,
    plan,
    onChange: () => {
      told += 1;
    },
  });
  void reflector.run(new AbortController().signal);
  const poll = setInterval(() => reflector.health().synced && synced.resolve(undefined), 5);
  await synced.promise;
  clearInterval(poll);
  return told;
});
process.exit(0);
