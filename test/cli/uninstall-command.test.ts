import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { drainKinds } from "../../cli/uninstall-drain.ts";
import { systemClock } from "../../shared/clock.ts";
import { Definition } from "../../shared/platform/definition-kind.ts";
import { Cat, type ClusterStage, cat, clusterStage } from "./cluster-stage.ts";
import { definition, definitionFile } from "./definition-file.ts";

const CATS = { namespace: "", name: "cats.example.com" };
const DOGS = { namespace: "", name: "dogs.example.com" };
const OURS = "example.com/cat";
const FORMER = "example.com/kitten";

/** As `defineController` makes one, without an import. */
const CONTROLLER = `export const catController = ${JSON.stringify({
  name: "cat",
  for: Cat,
  finalizer: OURS,
  formerFinalizers: [FORMER],
  maxConcurrentReconciles: 10,
  resyncSeconds: 36_000,
})};\n`;

let stage: ClusterStage;
beforeEach(async () => {
  stage = await clusterStage();
  await stage.project.write("functions/cat/resource.ts", definitionFile({ kind: "Cat" }));
  await stage.project.write("functions/cat/controller.ts", CONTROLLER);
  await stage.run(["install"]);
});
afterEach(() => stage.close());

const make = (name: string, finalizers: readonly string[] = []) =>
  stage.client.create(Cat, "default", { metadata: { name, finalizers }, spec: { host: name } });
const found = (name: string) => stage.client.get(Cat, cat(name));
const pause = () => systemClock.sleep(20);

test("removes the project's definitions after a question, and none of others", async () => {
  const options = { fieldManager: "somebody" };
  await stage.client.apply(Definition, DOGS, definition({ kind: "Dog" }), options);
  const unasked = await stage.run(["uninstall"]);
  expect(unasked).toMatchObject({ code: 2, out: "" });
  expect(unasked.err).toMatch(
    /cannot uninstall: expected --yes where no terminal can be asked: remove cats.example.com from tidegate \(/,
  );
  expect(await stage.client.get(Definition, CATS)).toBeDefined();
  const done = await stage.run(["uninstall", "--yes"]);
  expect(done).toEqual({ code: 0, out: "removed cats.example.com\n", err: "" });
  expect(await stage.client.get(Definition, CATS)).toBeUndefined();
  expect(await stage.client.get(Definition, DOGS)).toBeDefined();
  const again = await stage.run(["uninstall"]);
  expect(again.out).toMatch(/^None of the definitions is installed in tidegate/);
});

test("refuses while there are objects, and lists ten of them with what ends it", async () => {
  for (let index = 10; index < 22; index += 1) await make(`c${index}`);
  const { code, out } = await stage.run(["uninstall", "--yes"]);
  expect(code).toBe(1);
  expect(out).toMatch(/^Not uninstalled: 12 objects would go /);
  expect(out.match(/^ {2}Cat default\/c\d+$/gm)).toHaveLength(10);
  expect(out).toMatch(/^ {2}and 2 more$[\s\S]*^ {2}tidegate uninstall --drain finalize$/m);
  const json = await stage.run(["uninstall", "--yes", "--output", "json"]);
  expect(JSON.parse(json.out)).toMatchObject({ removed: [], installed: [CATS.name], objects: 12 });
  expect(await found("c10")).toBeDefined();
});

test("drains by deleting all objects, and waits until their finalizers are done", async () => {
  await make("plain");
  await make("held", [OURS]);
  const running = stage.run(["uninstall", "--drain", "finalize", "--yes"]);
  while (!(await found("held"))?.metadata.deletionTimestamp) await pause();
  expect(await stage.client.get(Definition, CATS)).toBeDefined();
  // The function's part.
  const patch = { metadata: { finalizers: null } };
  await stage.client.patch(Cat, cat("held"), { type: "merge", patch });
  expect(await running).toEqual({
    code: 0,
    out: "deleted 2 objects\nremoved cats.example.com\n",
    err: "",
  });
});

test("strips the controllers' finalizers, former ones too, and names what stays behind", async () => {
  await make("one", [OURS]);
  await make("two", [FORMER]);
  await make("three");
  const { code, out, err } = await stage.run(["uninstall", "--drain", "strip", "--yes"]);
  expect({ code, out }).toEqual({ code: 0, out: "deleted 3 objects\nremoved cats.example.com\n" });
  expect(err).toBe(
    "What these finalizers would have removed outside of the cluster stays behind:\n" +
      `  Cat default/one: ${OURS}\n  Cat default/two: ${FORMER}\n`,
  );
});

test("never takes a finalizer of somebody else: waits, and ends cleanly when interrupted", async () => {
  await make("shared", [OURS, "other.io/guard"]);
  const stopping = new AbortController();
  const running = stage.run(["uninstall", "--drain", "strip", "--yes"], {
    stopping: stopping.signal,
  });
  while ((await found("shared"))?.metadata.finalizers?.length !== 1) await pause();
  expect((await found("shared"))?.metadata.finalizers).toEqual(["other.io/guard"]);
  await systemClock.sleep(100);
  stopping.abort();
  const { code, out, err } = await running;
  expect({ code, out }).toEqual({ code: 130, out: "" });
  expect(err).toMatch(
    /stays behind:\n {2}Cat default\/shared: example.com\/cat\ntidegate: interrupted\n$/,
  );
  expect(await stage.client.get(Definition, CATS)).toBeDefined();
});

test("tells when nothing goes for half a minute, and what holds it", async () => {
  await make("stuck", ["other.io/guard"]);
  let nowMs = 0;
  const stopping = new AbortController();
  const said: string[] = [];
  const clock = {
    ...systemClock,
    monotonicMs: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
      if (nowMs === 65_000) stopping.abort();
    },
  };
  const uid = (await stage.client.get(Definition, CATS))?.metadata.uid ?? "";
  const progress: string[] = [];
  const drained = drainKinds(
    {
      client: stage.client,
      transport: stage.transport,
      clock,
      progress: { tell: (line) => progress.push(line), end: () => {} },
      say: (line) => said.push(`${nowMs} ${line}`),
      signal: stopping.signal,
      strip: () => [],
      stripped: () => {},
    },
    [{ name: CATS.name, uid, kind: Cat }],
  );
  await expect(drained).rejects.toThrow();
  const text =
    /^(30|60)000 tidegate: nothing has gone for 30 s: 1 object left \(Cat default\/stuck\), held by other.io\/guard; is the watcher running/;
  expect(said).toEqual([expect.stringMatching(text), expect.stringMatching(text)]);
  expect(progress[0]).toBe("1 of 1 object left");
});
