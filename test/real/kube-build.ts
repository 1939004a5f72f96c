import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { whileLocked } from "../../local/kube-apiserver/lock-file.ts";
import { systemClock } from "../../shared/clock.ts";
import { writeGoModule } from "./kube-go-module.ts";

export interface KubeBuild {
  /** Kubernetes version without a leading "v". */
  readonly version: string;
  /** Where the programs go. It appears complete or not at all. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly progress: (line: string) => void;
  /** Gives up. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Builds etcd, kube-apiserver, kubectl and kube-controller-manager from Go modules, with whatever
 * module proxy and caches Go is set up for. Two builds at once wait for one another; the second
 * finds everything compiled.
 *
 * Rejects if there is no Go, or if Go is older than that version of Kubernetes needs.
 */
export async function buildKube(build: KubeBuild): Promise<void> {
  const { version, folder, progress } = build;
  await requireGo(build);
  await mkdir(dirname(folder), { recursive: true });
  await whileLocked(`${folder}.lock`, progress, async () => {
    const module = await mkdtemp(join(dirname(folder), `.${version}-`));
    try {
      progress(`building Kubernetes v${version} and etcd from Go modules, once, into ${folder}`);
      await writeGoModule({ ...build, env: goEnv(build.env), folder: module });
      await compile(build, module);
      await rename(join(module, "bin", "server"), join(module, "bin", "etcd"));
      await rm(folder, { recursive: true, force: true });
      await rename(join(module, "bin"), folder);
    } finally {
      await rm(module, { recursive: true, force: true });
    }
  });
}

/** go.etcd.io/etcd/server/v3 has the version that Kubernetes' own go.mod names. */
const PROGRAMS = [
  "go.etcd.io/etcd/server/v3",
  "k8s.io/kubernetes/cmd/kube-apiserver",
  "k8s.io/kubernetes/cmd/kubectl",
  "./kube-controller-manager",
];

/** The packages that hold the version a program reports. */
const VERSION_PACKAGES = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"];

async function requireGo({ version, env }: KubeBuild): Promise<void> {
  await run("go", ["version"], { env }).catch((cause: unknown) => {
    throw new Error(
      `cannot build Kubernetes v${version}: expected Go on the PATH, got none; install Go ` +
        "(https://go.dev/dl), or set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver",
      { cause },
    );
  });
}

async function compile(
  { version, env, progress, signal }: KubeBuild,
  folder: string,
): Promise<void> {
  const [major, minor] = version.split(".");
  const values = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor };
  const stamps = VERSION_PACKAGES.flatMap((name) =>
    Object.entries(values).map(([key, value]) => `-X ${name}.${key}=${value}`),
  );
  const flags = ["-v", "-mod=mod", "-trimpath", "-o", "bin/"];
  const ldflags = ["-ldflags", ["-s", "-w", ...stamps].join(" ")];
  const args = ["go", "build", ...flags, ...ldflags, ...PROGRAMS];
  // Nice, since it takes all cores for minutes on a machine that someone works on.
  const child = spawn("nice", args, {
    cwd: folder,
    env: goEnv(env),
    stdio: ["ignore", "ignore", "pipe"],
    signal,
  });
  const lastLines: string[] = [];
  let compiled = 0;
  let downloaded = 0;
  const startedAtMs = systemClock.monotonicMs();
  const timer = setInterval(() => {
    const seconds = Math.round((systemClock.monotonicMs() - startedAtMs) / 1000);
    progress(
      `after ${seconds} s: ${downloaded} modules downloaded, ${compiled} packages compiled ` +
        "of about 1700, then some seconds to link them",
    );
  }, 20_000);
  createInterface(child.stderr).on("line", (line) => {
    lastLines.splice(0, lastLines.length - 9);
    lastLines.push(line);
    if (line.startsWith("go: downloading")) downloaded += 1;
    else compiled += 1;
  });
  const code = await new Promise((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  }).finally(() => clearInterval(timer));
  if (code !== 0) {
    throw new Error(`go build of Kubernetes v${version} failed: ${lastLines.join("\n")}`);
  }
}

/** Neither cgo nor a downloaded toolchain: what is installed has to do. */
function goEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, CGO_ENABLED: "0", GOTOOLCHAIN: "local", GOWORK: "off" };
}

const run = promisify(execFile);
