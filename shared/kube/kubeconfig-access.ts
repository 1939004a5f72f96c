import type { RequestOptions } from "node:https";
import { type Clock, systemClock } from "../clock.ts";
import { type LoadedKubeconfig, loadKubeconfig } from "./kubeconfig.ts";
import { RenewedValue } from "./renewed-value.ts";
import type { KubeAccess } from "./wire.ts";

export interface KubeconfigOptions {
  /** A path, or several, joined as in $KUBECONFIG. */
  readonly file: string;
  /** Default: the current context of the file. */
  readonly context?: string | undefined;
  /** Default: the machine's own. */
  readonly clock?: Clock;
}

export interface KubeconfigAccess extends KubeAccess {
  /** The name of the context. */
  readonly context: string;
  /** The context's namespace; "default" where it names none. */
  readonly namespace: string;
}

/** Credentials are looked up anew after so long; client-node keeps plugins' tokens for as long as they live. */
const LOOK_UP_MS = 10_000;
/** A plugin's token that ends within this time is replaced. */
const MARGIN_MS = 60_000;

/**
 * The access that a kubeconfig describes: tokens and token files, client certificates, exec and OIDC
 * plugins, basic authentication. Credentials come from client-node, which is loaded here and not
 * before. A refused token makes it read the file anew and run the plugin again.
 *
 * Rejects with one line that names the file when it cannot be used; plugins run once before it
 * resolves, since they may ask a person.
 */
export async function kubeconfigAccess(options: KubeconfigOptions): Promise<KubeconfigAccess> {
  const { file, clock = systemClock } = options;
  let loaded = await loadKubeconfig(file, options.context);
  const { context, cluster } = loaded;
  let refused = false;
  const credentials = new RenewedValue(async () => {
    if (refused || endsSoon(loaded, clock)) {
      refused = false;
      loaded = await loadKubeconfig(file, context.name);
    }
    const value = await credentialsOf(file, loaded);
    return { value, goodUntilMs: clock.nowMs() + LOOK_UP_MS };
  }, clock);
  await credentials.get();
  return {
    server: cluster.server,
    context: context.name,
    namespace: context.namespace ?? "default",
    ca: async () => (await credentials.get()).ca,
    certificate: async () => (await credentials.get()).certificate,
    authorization: async ({ renew }) => {
      refused ||= renew;
      return (await credentials.get({ renew })).authorization;
    },
    ...(cluster.skipTLSVerify && { insecureSkipTlsVerify: true }),
    ...(cluster.tlsServerName !== undefined && { tlsServerName: cluster.tlsServerName }),
  };
}

interface Credentials {
  readonly ca: string | undefined;
  readonly certificate: { readonly cert: string; readonly key: string } | undefined;
  readonly authorization: string | undefined;
}

async function credentialsOf(file: string, loaded: LoadedKubeconfig): Promise<Credentials> {
  const { config, user } = loaded;
  const options: RequestOptions = {};
  try {
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    const plugin = user.exec ? `plugin ${user.exec.command} of ` : "";
    // No cause: a parser's message quotes what a plugin wrote.
    throw new Error(
      `cannot get credentials from ${plugin}user "${user.name}" of kubeconfig ${file}: ${textOf(error)}`,
    );
  }
  const cert = pemOf(options.cert);
  const key = pemOf(options.key);
  const { Authorization: header } = (options.headers ?? {}) as { Authorization?: string };
  return {
    ca: pemOf(options.ca),
    certificate: cert !== undefined && key !== undefined ? { cert, key } : undefined,
    // Basic authentication comes as "user:password".
    authorization: options.auth
      ? `Basic ${Buffer.from(options.auth).toString("base64")}`
      : header?.trim(),
  };
}

function pemOf(value: RequestOptions["ca" | "cert" | "key"]): string | undefined {
  return typeof value === "string" || Buffer.isBuffer(value) ? value.toString() : undefined;
}

/** Of an error of client-node or a plugin, one line. */
function textOf(error: unknown): string {
  const { code, message, name } = error as { code?: string; message?: string; name?: string };
  if (name === "SyntaxError" || name === "TypeError") {
    return "expected an ExecCredential as JSON, got something else; run it by hand to see";
  }
  if (code === "ENOENT" && message?.startsWith("spawn")) {
    return "there is no such program; install it, or choose another context";
  }
  const line =
    message?.trim().split("\n")[0] || "it failed without a message; run it by hand to see";
  return line.slice(0, 300);
}

/** client-node uses a plugin's token to its last moment, when it would end on the way. */
function endsSoon({ config, user }: LoadedKubeconfig, clock: Clock): boolean {
  const { authenticators = [] } = config as unknown as { authenticators?: readonly PluginCache[] };
  const end = authenticators
    .map(({ tokenCache }) => tokenCache?.[user.name]?.status?.expirationTimestamp)
    .find((time) => time !== undefined);
  return end !== undefined && Date.parse(end) - clock.nowMs() < MARGIN_MS;
}

/** What client-node's ExecAuth remembers. Where that changes, tokens are only replaced once refused. */
interface PluginCache {
  readonly tokenCache?: Readonly<
    Record<string, { readonly status?: { readonly expirationTimestamp?: string } } | null>
  >;
}
