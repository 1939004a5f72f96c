import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type EmbeddedCluster, startEmbeddedCluster } from "../../local/kube/embedded-cluster.ts";
import { Daemon } from "../../local/kube-apiserver/daemon.ts";
import { systemClock } from "../../shared/clock.ts";
import { type Kube, startKube } from "./kube-apiserver.ts";
import { kubeBinaries } from "./kube-binaries.ts";
import { maskedOutput } from "./kubectl-mask.ts";
import { runNodes } from "./kubectl-nodes.ts";
import { runStep } from "./kubectl-run.ts";
import { kubectlScript } from "./kubectl-script.ts";
import type { KubectlStep } from "./kubectl-step.ts";
import { kubectlVersions } from "./kubectl-versions.ts";

// The same commands by the same kubectl against kube-apiserver with its controllers and against the
// embedded API server: what they print is the same but for what is masked.

let kube: Kube;
let controllers: Daemon;
let embedded: EmbeddedCluster;
let folder: string;
const ending = new AbortController();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tidegate-kubectl-"));
  kube = await startKube({ deployments: false });
  controllers = await startControllers();
  void runNodes(kube, ending.signal);
  embedded = await startEmbeddedCluster({
    clock: systemClock,
    random: Math.random,
    // What is tried again is told as debug: races with other writers are part of the play.
    log: { ...console, debug: () => {} },
    kubeconfigFile: join(folder, "kubeconfig"),
  });
}, 600_000);

afterAll(async () => {
  ending.abort();
  await controllers?.kill();
  await embedded?.close();
  await kube?.stop();
  await rm(folder, { recursive: true, force: true });
});

test("each kubectl prints the same of both servers", async () => {
  const { KUBECTL_ONLY: only } = process.env;
  const differences: string[] = [];
  for (const { minor, path } of await kubectlVersions(kube.kubectlPath ?? "kubectl")) {
    if (only !== undefined && only !== minor) continue;
    const namespace = `script-${minor.replace(".", "-")}`;
    let compared = 0;
    for (const step of kubectlScript(namespace)) {
      const [theirs, ours] = await Promise.all([
        outputOf(step, { path, namespace, kubeconfigPath: kube.kubeconfigPath, home: "theirs" }),
        outputOf(step, {
          path,
          namespace,
          kubeconfigPath: join(folder, "kubeconfig"),
          home: "ours",
        }),
      ]);
      if (step.differs !== undefined) continue;
      compared += 1;
      if (theirs !== ours) {
        differences.push(
          `kubectl ${minor}: kubectl ${step.args.join(" ")}\n${difference(theirs, ours)}`,
        );
      }
    }
    process.stderr.write(`kubectl ${minor}: ${compared} commands compared\n`);
  }
  expect(differences.join("\n\n")).toBe("");
}, 1_800_000);

test("kubectl create by name says what to do, since it sends protobuf", async () => {
  const run = { path: kube.kubectlPath ?? "kubectl", home: folder, namespace: "default" };
  const kubeconfigPath = join(folder, "kubeconfig");
  const args = ["create", "configmap", "made", "--from-literal=a=1"];
  const { stderr } = await runStep({ ...run, kubeconfigPath }, { args });
  expect(stderr).toMatch(
    /does not take protobuf: use kubectl create \.\.\. --dry-run=client -o yaml/,
  );
});

async function outputOf(
  step: KubectlStep,
  run: { path: string; namespace: string; kubeconfigPath: string; home: string },
): Promise<string> {
  return maskedOutput(step, await runStep({ ...run, home: join(folder, run.home) }, step));
}

/** The real controllers of Deployments and ReplicaSets, which need nothing but the API server. */
async function startControllers(): Promise<Daemon> {
  const { kubeControllerManager } = await kubeBinaries({ env: process.env, progress: () => {} });
  return Daemon.start({
    command: kubeControllerManager ?? "",
    args: [
      `--kubeconfig=${kube.kubeconfigPath}`,
      "--controllers=deployment-controller,replicaset-controller,serviceaccount-controller",
      "--leader-elect=false",
      "--secure-port=0",
    ],
    logPath: join(folder, "controllers.log"),
  });
}

/** Lines that only one has: "-" of kube-apiserver, "+" of ours. */
function difference(theirs: string, ours: string): string {
  const [a, b] = [theirs.split("\n"), ours.split("\n")];
  const [inA, inB] = [new Set(a), new Set(b)];
  const lost = a.filter((line) => !inB.has(line)).map((line) => `  - ${line}`);
  const added = b.filter((line) => !inA.has(line)).map((line) => `  + ${line}`);
  const lines = [...lost, ...added];
  return lines.length > 0
    ? lines.join("\n")
    : `  in another order:\n${theirs}\n  and ours:\n${ours}`;
}
