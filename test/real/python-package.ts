import { join } from "node:path";
import { installServer, type ServerInstall } from "./server-install.ts";

export interface PythonPackage extends ServerInstall {
  /** Those of its optional parts that are needed, such as "[server]". */
  readonly extras?: string;
}

/**
 * Resolves to a Python that has a package of the Python package index, in an environment of its own.
 * Rejects with one line where there is no python3 or the index does not answer.
 */
export async function installPythonPackage(wanted: PythonPackage): Promise<string> {
  const { name, version, extras = "" } = wanted;
  const folder = await installServer(wanted, async (unfinished, step) => {
    await step("python3", ["-m", "venv", unfinished], "python3 with venv; install Python");
    await step(
      pythonIn(unfinished),
      ["-m", "pip", ...PIP_INSTALL, `${name}${extras}==${version}`],
      "the Python package index to answer; check the network, or pip's index-url",
    );
  });
  return pythonIn(folder);
}

const PIP_INSTALL = ["install", "--quiet", "--disable-pip-version-check"];

/** It finds its packages by where it is, so that the folder can be moved; other programs there cannot. */
function pythonIn(folder: string): string {
  return join(folder, "bin", "python");
}
