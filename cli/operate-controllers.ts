import { join } from "node:path";
import { dirsWithController } from "../local/function-folder.ts";
import { type Controller, sourcesOf } from "../shared/api/controller.ts";
import { groupOf, type Kind } from "../shared/api/object.ts";
import { loadControllers } from "../watcher/load-controllers.ts";

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
 * "websites" or "websites.web.example.com". Fails naming the kinds that are reconciled.
 */
export function controllersFor(
  controllers: readonly Controller[],
  text: string,
  name?: string,
): readonly Controller[] {
  const asked = name === undefined ? controllers : [controllerNamed(controllers, name)];
  const found = asked.filter((controller) => names(controller.for, text));
  const groups = new Set(found.map((controller) => groupOf(controller.for.apiVersion)));
  if (groups.size > 1) {
    throw new Error(
      `cannot tell which ${text} is meant: expected one of ${kindsOf(found)}; write it with its group`,
    );
  }
  if (found.length > 0) return found;
  throw new Error(
    `cannot find a controller for ${text}: expected one of ${kindsOf(asked)}, got "${text}"${hint(asked, text)}`,
  );
}

function names({ kind, plural, apiVersion }: Kind, text: string): boolean {
  const asked = text.toLowerCase();
  const group = groupOf(apiVersion);
  return [kind.toLowerCase(), plural].some(
    (word) => asked === word || (group !== "" && asked === `${word}.${group}`),
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
    sourcesOf(controller).some(({ role, kind }) => role !== "for" && names(kind, text)),
  );
  if (users.length === 0) return "";
  const those = users.map((user) => `${user.name} (ask about its ${user.for.kind})`);
  return `; its changes wake objects of ${those.join(", ")}`;
}
