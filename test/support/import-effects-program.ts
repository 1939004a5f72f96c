// Imports the files that its standard input names, and prints as JSON what that did beside defining
// things. What the files depend on is judged with them, but for reads of the environment and timers
// that let the process end: those count only where a file of the folder on the command line is at it.
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const own = pathToFileURL(process.argv[2] ?? "").href;
const files = JSON.parse(await text(process.stdin)) as readonly string[];
const acts: string[] = [];

process.env = new Proxy(process.env, {
  get: (env, name) => told(name, Reflect.get(env, name)),
  has: (env, name) => told(name, Reflect.has(env, name)),
  ownKeys: (env) => told("environment", Reflect.ownKeys(env)),
});
for (const name of ["setTimeout", "setInterval", "setImmediate"] as const) {
  const set = globalThis[name] as (...args: unknown[]) => unknown;
  Object.assign(globalThis, { [name]: (...args: unknown[]) => told(name, set(...args)) });
}
// Opens the stream, which is a handle of its own.
process.stdout.write("");
const before = state();
for (const file of files) await import(pathToFileURL(file).href);
const changed = [...state()].flatMap(([name, value]) =>
  Object.is(value, before.get(name)) ? [] : [name],
);
process.stdout.write(JSON.stringify([...changed, ...acts].toSorted()));

/** Everything that a module could leave behind, by name. */
function state(): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, object] of builtIns()) {
    for (const key of Reflect.ownKeys(object)) {
      const property: { value?: unknown } = Object.getOwnPropertyDescriptor(object, key) ?? {};
      found.set(`${name}.${String(key)}`, "value" in property ? property.value : "accessor");
    }
  }
  for (const name of process.eventNames()) {
    found.set(`listeners of ${String(name)}`, process.listenerCount(name));
  }
  found.set("timers and handles", process.getActiveResourcesInfo().toSorted().join(" "));
  found.set("working directory", process.cwd());
  found.set("exit code", process.exitCode);
  return found;
}

/** The globals of the language and of Node, and their prototypes. */
function builtIns(): [string, object][] {
  return Object.getOwnPropertyNames(globalThis).flatMap((name): [string, object][] => {
    const { value } = Object.getOwnPropertyDescriptor(globalThis, name) ?? {};
    if (value === globalThis) return [["globalThis", globalThis]];
    if (typeof value !== "function") return [];
    const { prototype } = value as { prototype?: object };
    return prototype
      ? [
          [name, value],
          [`${name}.prototype`, prototype],
        ]
      : [[name, value]];
  });
}

/** Notes an act by its caller, the first file in the stack beside this one. */
function told<T>(act: string | symbol, answer: T): T {
  const frames = (new Error().stack ?? "").match(/file:\/\/\S+/g) ?? [];
  const caller = frames.find((frame) => !frame.startsWith(import.meta.url)) ?? "";
  if (caller.startsWith(own) && !caller.slice(own.length).includes("/node_modules/")) {
    acts.push(`${caller.slice(own.length)}: ${String(act)}`);
  }
  return answer;
}
