import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../shared/clock.ts";
import { kubeconfigAccess } from "../../shared/kube/kubeconfig-access.ts";
import { createTransport } from "../../shared/kube/transport.ts";
import type { Transport } from "../../shared/kube/wire.ts";
import type { BenchStage } from "./bench-stage.ts";
import { DevProgram, freePorts } from "./dev-program.ts";
import { tappedFunctions } from "./tapped-functions.ts";

/** `npm start` with the cluster that is part of it, as a newcomer starts it. */
export async function embeddedProgram(
  stage: BenchStage,
): Promise<{ readonly program: DevProgram; readonly transport: Transport }> {
  const { signal, progress, onClose } = stage;
  progress("npm start with the embedded cluster");
  const folder = await mkdtemp(join(stage.folder, "embedded-"));
  const functionsDir = await tappedFunctions(folder);
  const dataDir = join(folder, "data");
  const port = await freePorts(Math.random);
  const program = await DevProgram.start({ dataDir, functionsDir, port, signal });
  onClose(() => program.stop());
  const access = await kubeconfigAccess({ file: join(dataDir, "kubeconfig") });
  const transport = createTransport(access, { clock: systemClock });
  onClose(async () => transport.close());
  return { program, transport };
}
