import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { CommandContext } from "./command-context.ts";
import type { Check } from "./doctor-check.ts";
import type { Place } from "./operate-place.ts";

const KUBECTL_LIMIT_MS = 5_000;

/** The kubectl of this machine. Tidegate itself needs none. */
export async function kubectlChecks({
  env,
}: Pick<CommandContext, "env">): Promise<readonly Check[]> {
  const name = "kubectl";
  try {
    const { stdout } = await promisify(execFile)(
      "kubectl",
      ["version", "--client", "--output=json"],
      { env: { ...env }, timeout: KUBECTL_LIMIT_MS },
    );
    const { clientVersion } = JSON.parse(stdout) as { clientVersion: { gitVersion: string } };
    return [{ name, level: "ok", text: clientVersion.gitVersion }];
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const text = missing ? "not found in PATH" : `does not tell its version`;
    const todo = "install it to look at objects; tidegate itself needs none";
    return [{ name, level: "warn", text, todo }];
  }
}

/** Whose calls of AWS are: that there are credentials and a region, before a call fails for want of them. */
export async function credentialChecks({ sqs, endpoints }: Place): Promise<readonly Check[]> {
  if (endpoints.sqs !== undefined) return []; // The embedded servers ask for none.
  const region = await sqs.config.region();
  const { accessKeyId, expiration } = await sqs.config.credentials();
  // The id is no secret, but enough of it to tell two apart is enough.
  const text = `access key ...${accessKeyId.slice(-SHOWN)} in ${region}`;
  const until = expiration === undefined ? "" : `, until ${expiration.toISOString()}`;
  return [{ name: "AWS credentials", level: "ok", text: `${text}${until}` }];
}

const SHOWN = 4;
