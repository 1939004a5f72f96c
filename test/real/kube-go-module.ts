import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export interface GoModulePlan {
  /** Kubernetes version without a leading "v". */
  readonly version: string;
  /** Where the module goes; present and empty. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a Go module in which Kubernetes' programs can be built, by its module proxy alone: their
 * own packages by their names, and `./kube-controller-manager`.
 *
 * Kubernetes' go.mod names its staging modules (k8s.io/api and others) at v0.0.0, in folders that
 * its module does not contain; each is published as v0.N.x for Kubernetes v1.N.x.
 */
export async function writeGoModule(plan: GoModulePlan): Promise<void> {
  const { version, folder } = plan;
  const { GoMod, Dir } = await downloadKubernetes(plan);
  const lines = (await readFile(GoMod, "utf8")).split("\n");
  const staging = lines.flatMap((line) => /^\s+(k8s\.io\/\S+) v0\.0\.0$/.exec(line)?.[1] ?? []);
  const published = version.replace(/^1\./, "0.");
  const text = [
    `module ${MODULE}`,
    ...lines.filter((line) => /^(go|godebug) /.test(line)),
    `require k8s.io/kubernetes v${version}`,
    ...staging.map((name) => `replace ${name} => ${name} v${published}`),
  ];
  await writeFile(join(folder, "go.mod"), `${text.join("\n")}\n`);
  await writeControllerManager(join(Dir, "cmd/kube-controller-manager"), folder);
}

const MODULE = "tidegate.local/kube";

async function downloadKubernetes({ version, folder, env, signal }: GoModulePlan) {
  const args = ["mod", "download", "-json", `k8s.io/kubernetes@v${version}`];
  const { stdout } = await promisify(execFile)("go", args, { cwd: folder, env, signal }).catch(
    (cause: unknown) => {
      const got = /"Error": "(.*)"/.exec((cause as { stdout?: string }).stdout ?? "")?.[1];
      throw new Error(
        `cannot download the Go module of Kubernetes v${version}: got ${got ?? String(cause)}; see ` +
          "go list -m -versions k8s.io/kubernetes",
        { cause },
      );
    },
  );
  return JSON.parse(stdout) as { GoMod: string; Dir: string };
}

/**
 * Copies the main package and package app of kube-controller-manager, with one change. The garbage
 * collector learns of new kinds every 30 s, so that a custom object deleted soon after its definition
 * was made would keep its children for that long; for tests, it asks every second.
 */
async function writeControllerManager(source: string, folder: string): Promise<void> {
  const target = join(folder, "kube-controller-manager");
  await mkdir(join(target, "app"), { recursive: true });
  const files = (await readdir(join(source, "app"))).filter((name) => /(?<!_test)\.go$/.test(name));
  for (const name of ["controller-manager.go", ...files.map((name) => join("app", name))]) {
    const text = await readFile(join(source, name), "utf8");
    await writeFile(
      join(target, name),
      text
        .replace(/"k8s\.io\/kubernetes\/cmd\/kube-controller-manager\/app"/, `"${APP_PACKAGE}"`)
        .replace("const syncPeriod = 30 * time.Second", "const syncPeriod = time.Second"),
    );
  }
}

const APP_PACKAGE = `${MODULE}/kube-controller-manager/app`;
