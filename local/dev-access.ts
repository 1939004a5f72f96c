import { rename, writeFile } from "node:fs/promises";
import type { Clock } from "../shared/clock.ts";
import type { KubeAccess } from "../shared/kube/wire.ts";

/** Plugins that hand out short tokens renew them themselves; so often we look. */
const REFRESH_MS = 30_000;

/**
 * Writes the access of a kubeconfig into a file that function processes read, readable by this user
 * alone, since the code in a function has no use for kubeconfigs and their plugins.
 */
export async function writeAccess(access: KubeAccess, file: string): Promise<void> {
  const [ca, certificate, authorization] = await Promise.all([
    access.ca?.(),
    access.certificate?.(),
    access.authorization?.({ renew: false }),
  ]);
  const content = {
    server: access.server,
    ...(ca === undefined ? {} : { ca }),
    ...certificate,
    ...(authorization === undefined ? {} : { token: authorization.replace(/^Bearer /, "") }),
    ...(access.insecureSkipTlsVerify ? { insecureSkipTlsVerify: true } : {}),
    ...(access.tlsServerName === undefined ? {} : { tlsServerName: access.tlsServerName }),
  };
  const written = `${file}.new`;
  await writeFile(written, JSON.stringify(content), { mode: 0o600 });
  await rename(written, file);
}

/** Keeps the file as new as the kubeconfig's tokens are, until the signal is aborted. */
export async function keepAccessFresh(
  options: { readonly access: KubeAccess; readonly file: string; readonly clock: Clock },
  onError: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const { access, file, clock } = options;
  while (!signal.aborted) {
    await clock.sleep(REFRESH_MS, signal);
    // The old file stays; a token that has ended shows as 401 in the log of those that use it.
    if (!signal.aborted) await writeAccess(access, file).catch(onError);
  }
}
