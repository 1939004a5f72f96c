import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { startKube } from "../real/kube-apiserver.ts";
import { type BenchRow, shown } from "./bench-row.ts";
import type { BenchStage } from "./bench-stage.ts";
import { type EmbeddedServer, embeddedServer } from "./embedded-server.ts";
import { loadTransport } from "./kube-load.ts";
import { processesWith, residentMegabytes } from "./resident-memory.ts";
import { type Pace, ServerLoad } from "./server-load.ts";

const CONFIG_MAPS = 5_000;
/** In so many steps, and other loads in so many turns, first of the one server, then of the other. */
const TURNS = 2;
const TURN_MS = 1_000;
/** Of all of it: a machine that does not get there in time gets a failure. */
const LIMIT_MS = 150_000;

const LOADS = {
  "gets a second": (load, ms) => load.gets(ms),
  "lists of 1,000 a second": (load, ms) => load.lists(ms),
  "server-side applies a second": (load, ms) => load.applies(ms),
  "merge patches a second": (load, ms) => load.patches(ms),
  "watch events a second, 5 watchers": (load, ms) => load.watchEvents(ms),
} satisfies Record<string, (load: ServerLoad, ms: number) => Promise<Pace>>;

/** Both servers in the same minute, so that what else the machine does meets both. */
interface Pair<T> {
  readonly ours: T;
  readonly real: T;
}

/** What the embedded API server answers in a second, beside kube-apiserver with etcd. */
export async function serverPart(stage: BenchStage): Promise<BenchRow[]> {
  const { progress } = stage;
  const late = AbortSignal.timeout(LIMIT_MS);
  const signal = AbortSignal.any([stage.signal, late]);
  const dir = await mkdtemp(join(stage.folder, "server-"));
  progress("starting both servers");
  const kube = await startKube({ garbageCollector: false, deployments: false, signal, progress });
  let embedded: EmbeddedServer | undefined;
  try {
    embedded = await embeddedServer(dir, signal);
    const etcd = await processesWith(`--data-dir=${join(kube.dataDir, "etcd")}`);
    const pids = { ours: [embedded.pid], real: [kube.pid(), ...etcd] };
    const transports = { ours: loadTransport(embedded.connection), real: loadTransport(kube) };
    const ours = new ServerLoad(transports.ours, signal);
    const real = new ServerLoad(transports.real, signal);
    try {
      return await measured({ ours, real }, pids, stage);
    } finally {
      transports.ours.close();
      transports.real.close();
    }
  } catch (error) {
    if (!late.aborted) throw error;
    const limit = `${LIMIT_MS / 1_000} s`;
    throw new Error(`cannot measure: expected it to take at most ${limit}`, { cause: error });
  } finally {
    await embedded?.stop();
    await kube.stop();
  }
}

async function measured(
  loads: Pair<ServerLoad>,
  pids: Pair<readonly number[]>,
  { scale, progress }: BenchStage,
): Promise<BenchRow[]> {
  const total = Math.max(TURNS, Math.round(CONFIG_MAPS * scale));
  await loads.ours.prepare();
  await loads.real.prepare();
  progress(`creating ${total} ConfigMaps`);
  const step = (turn: number) => Math.round((total * turn) / TURNS);
  const created = await inTurns(loads, (load, turn) => load.creates(step(turn), step(turn + 1)));
  const rows = rateRows("creates a second", created);
  const memory = {
    ours: await residentMegabytes(pids.ours),
    real: await residentMegabytes(pids.real),
  };
  for (const [what, work] of Object.entries(LOADS)) {
    progress(what);
    rows.push(...rateRows(what, await inTurns(loads, (load) => work(load, TURN_MS * scale))));
  }
  return [...rows, ...memoryRows(total, memory)];
}

/** The sums of all turns. */
async function inTurns(
  { ours, real }: Pair<ServerLoad>,
  work: (load: ServerLoad, turn: number) => Promise<Pace>,
): Promise<Pair<Pace>> {
  const paces = { ours: [] as Pace[], real: [] as Pace[] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    paces.ours.push(await work(ours, turn));
    paces.real.push(await work(real, turn));
  }
  return { ours: sum(paces.ours), real: sum(paces.real) };
}

function sum(paces: readonly Pace[]): Pace {
  return {
    count: paces.reduce((all, { count }) => all + count, 0),
    ms: paces.reduce((all, { ms }) => all + ms, 0),
  };
}

function rateRows(what: string, paces: Pair<Pace>): BenchRow[] {
  const rate = ({ count, ms }: Pace) => (1_000 * count) / ms;
  const [ours, real] = [rate(paces.ours), rate(paces.real)];
  const digits = real < 100 ? 1 : 0;
  return [
    shown(what, ours, "/s", digits),
    shown(`baseline: ${what}, kube-apiserver and etcd`, real, "/s", digits),
    shown(`${what}, ours to baseline`, ours / real, "x", 2),
  ];
}

/** None where the system does not tell. */
function memoryRows(total: number, { ours, real }: Pair<number | undefined>): BenchRow[] {
  if (ours === undefined || real === undefined) return [];
  const what = `RSS after ${total.toLocaleString("en-US")} ConfigMaps of 1 kB`;
  return [
    shown(what, ours, "MB"),
    shown(`baseline: ${what}, kube-apiserver and etcd`, real, "MB"),
    shown(`${what}, ours to baseline`, ours / real, "x", 2),
  ];
}
