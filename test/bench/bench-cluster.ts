import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { crd } from "../../functions/website/resource.ts";
import type { Transport } from "../../shared/kube/wire.ts";
import { type Kube, startKube } from "../real/kube-apiserver.ts";
import type { BenchStage } from "./bench-stage.ts";
import { DevProgram, freePorts } from "./dev-program.ts";
import { installCrd, loadTransport } from "./kube-load.ts";
import { tappedFunctions } from "./tapped-functions.ts";

/** A real API server, and `npm start` beside it, which can be stopped and started again. */
export interface BenchCluster {
  readonly kube: Kube;
  readonly transport: Transport;
  /** Starts it with the state of the last time, and resolves once it has caught up. */
  readonly start: () => Promise<DevProgram>;
}

const open = new WeakMap<BenchStage, Promise<BenchCluster>>();

/** The cluster of this run of the benchmark; started by the first part that asks. */
export function benchCluster(stage: BenchStage): Promise<BenchCluster> {
  const cluster = open.get(stage) ?? openCluster(stage);
  open.set(stage, cluster);
  return cluster;
}

async function openCluster(stage: BenchStage): Promise<BenchCluster> {
  const { signal, progress, onClose } = stage;
  progress("starting kube-apiserver");
  const kube = await startKube({ signal, progress });
  onClose(kube.stop);
  const transport = loadTransport(kube);
  onClose(async () => transport.close());
  await installCrd(transport, crd());
  const folder = await mkdtemp(join(stage.folder, "dev-"));
  const functionsDir = await tappedFunctions(folder);
  const port = await freePorts(Math.random);
  const { kubeconfigPath } = kube;
  const dataDir = join(folder, "data");
  const start = async () => {
    progress("npm start");
    const program = await DevProgram.start({ kubeconfigPath, dataDir, functionsDir, port, signal });
    onClose(() => program.stop());
    return program;
  };
  return { kube, transport, start };
}
