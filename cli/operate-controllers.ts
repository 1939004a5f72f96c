import { join } from "node:path";
import { dirsWithController } from "../local/function-folder.ts";
import { type Controller, sourcesOf } from "../shared/api/controller.ts";
import { groupOf } from "../shared/api/object.ts";
import { loadControllers } from "../watcher/load-controllers.ts";
import { known, learn } from "./operate-facts.ts";
import { namesKind, withShortName } from "./operate-kinds.ts";
import type { Place } from "./operate-place.ts";

/** All controllers that the folders of functions define. */
export async function loadControllersIn(functionsDir: string): Promise<readonly Controller[]> {
  const dirs = await dirsWithController(functionsDir);
  if (dirs.length === 0) {
    throw new Error(
      `cannot find controllers in ${functionsDir}: expected folders with controller.ts; name another with --functions`,
    );
  }
  return loadControllers(dirs.map((dir) => join(dir, "controller.ts")));
}

/** The controller of this name. Fails naming those that there are. */
export function controllerNamed(controllers: readonly Controller[], name: string): Controller {
  const found = controllers.find((controller) => controller.name === name);
  if (found) return found;
  const names = controllers.map((controller) => controller.name).join(", ");
  throw new Error(`cannot find controller ${name}: expected one of ${names}, got "${name}"`);
}

/**
 * The controllers that reconcile a kind, written as kubectl takes it: "Website", "website",
 * "websites", "websites.web.example.com", or a short name, for which the cluster is asked. Fails
 * naming the kinds that are reconciled.
 */
export async function controllersFor(
  { controllers, kube }: Pick<Place, "controllers" | "kube">,
  text: string,
  name?: string,
): Promise<readonly Controller[]> {
  const all = await controllers();
  const asked = name === undefined ? all : [controllerNamed(all, name)];
  const spelled = asked.filter((controller) => namesKind(controller.for, text));
  if (spelled.length > 0) return ofOneGroup(spelled, text);
  const short = await learn(kube().then((transport) => withShortName(transport, asked, text)));
  const found = known(short) ?? [];
  if (found.length > 0) return ofOneGroup(found, text);
  const unasked =
    "unknown" in short ? `; the cluster could not be asked for short names: ${short.unknown}` : "";
  throw new Error(
    `cannot find a controller for ${text}: expected one of ${kindsOf(asked)}, got "${text}"${hint(asked, text)}${unasked}`,
  );
}

function ofOneGroup(found: readonly Controller[], text: string): readonly Controller[] {
  const groups = new Set(found.map((controller) => groupOf(controller.for.apiVersion)));
  if (groups.size <= 1) return found;
  throw new Error(
    `cannot tell which ${text} is meant: expected one of ${kindsOf(found)}; write it with its group`,
  );
}

function kindsOf(controllers: readonly Controller[]): string {
  const kinds = controllers.map((controller) => {
    const group = groupOf(controller.for.apiVersion);
    return `${controller.for.plural}${group === "" ? "" : `.${group}`} (${controller.name})`;
  });
  return kinds.join(", ");
}

/** A kind that is watched for the sake of others has no runs of its own. */
function hint(controllers: readonly Controller[], text: string): string {
  const users = controllers.filter((controller) =>
    sourcesOf(controller).some(({ role, kind }) => role !== "for" && namesKind(kind, text)),
  );
  if (users.length === 0) return "";
  const those = users.map((user) => `${user.name} (ask about its ${user.for.kind})`);
  return `; its changes wake objects of ${those.join(", ")}`;
}
