import { resolve } from "node:path";
import { askToPause } from "../local/dev-pauses.ts";
import { type DevPlace, readDevPlace } from "../local/dev-place.ts";
import { fileAccess } from "../shared/kube/file-access.ts";
import type { CommandContext } from "./command-context.ts";
import { loadControllersIn } from "./operate-controllers.ts";
import type { PlaceValues } from "./operate-options.ts";
import type { PauseSwitch } from "./operate-pause.ts";
import type { PlaceTarget } from "./operate-place.ts";

/** Its servers ask for no credentials; the SDK wants some all the same. */
const CREDENTIALS = { accessKeyId: "local", secretAccessKey: "local" };

/** What runs on a folder of local state. Rejects with one line where nothing does. */
export async function openDevPlace(
  { data = ".tidegate" }: Pick<PlaceValues, "data">,
  { cwd, clock }: Pick<CommandContext, "cwd" | "clock">,
): Promise<PlaceTarget> {
  const dataDir = resolve(cwd, data);
  const running = await readRunning(dataDir, data);
  const { cluster, table, region, functionsDir, watcherUrl, accessFile } = running;
  return {
    title: `tidegate dev of ${data}`,
    aws: { region, credentials: CREDENTIALS },
    endpoints: { sqs: running.sqsEndpoint, dynamo: running.dynamoDbEndpoint },
    tableName: table,
    cluster,
    functionsDir,
    controllers: () => loadControllersIn(functionsDir),
    access: () => fileAccess(accessFile, { clock }),
    watcherUrl,
    pauses: devPauses(dataDir, data),
  };
}

async function readRunning(dataDir: string, data: string): Promise<DevPlace> {
  const running = await readDevPlace(dataDir);
  if (running) return running;
  throw new Error(
    `cannot find a running tidegate dev in ${data}: expected one that is ready, got none; ` +
      "start it, name its folder with --data, or use --table and --cluster for AWS",
  );
}

function devPauses(dataDir: string, data: string): PauseSwitch {
  return {
    what: "function on this machine",
    state: async (controller) =>
      (await readRunning(dataDir, data)).controllers[controller] ?? "missing",
    set: (controller, paused) => askToPause(dataDir, { controller, paused }),
  };
}
