// Serves the embedded cluster with its state in a folder, until stdin ends; prints how to reach it.
// node embedded-server-program.ts FOLDER
import { startEmbeddedCluster } from "../../local/kube/embedded-cluster.ts";
import { systemClock } from "../../shared/clock.ts";
import { createLogger } from "../../shared/telemetry/log.ts";

const log = createLogger({ write: (line) => console.error(line), nowMs: systemClock.nowMs });
const dir = process.argv[2] ?? "";
const cluster = await startEmbeddedCluster({ clock: systemClock, random: Math.random, log, dir });
const { url, ca, token } = cluster;
console.log(JSON.stringify({ url, ca, token }));
// Its end is the parent's end, too, however that comes.
process.stdin.resume().once("end", () => void cluster.close().then(() => process.exit(0)));
