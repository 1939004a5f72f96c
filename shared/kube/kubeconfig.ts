import { readFile } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join, sep } from "node:path";
import type { Cluster, Context, KubeConfig, User } from "@kubernetes/client-node";

/** A kubeconfig with its one context chosen, as client-node has it. */
export interface LoadedKubeconfig {
  readonly config: KubeConfig;
  readonly context: Context;
  readonly cluster: Cluster;
  readonly user: User;
}

/**
 * Loads a kubeconfig, or several, joined as in $KUBECONFIG: of entries with the same name the first
 * counts, and missing files are passed over where there is another one. Rejects with one line that
 * names the file and what to do; no content of the file but names is in it.
 */
export async function loadKubeconfig(file: string, name?: string): Promise<LoadedKubeconfig> {
  const clusters: Cluster[] = [];
  const users: User[] = [];
  const contexts: Context[] = [];
  let current: string | undefined;
  for (const config of await readAll(file.split(delimiter).filter(Boolean))) {
    // Of each name the first one is found.
    clusters.push(...config.clusters);
    users.push(...config.users);
    contexts.push(...config.contexts);
    current ??= config.currentContext || undefined;
  }
  const context = chosen({ file, what: "context", list: contexts, name: name ?? current });
  const cluster = chosen({ file, what: "cluster", list: clusters, name: context.cluster });
  const user = chosen({ file, what: "user", list: users, name: context.user });
  refuseUnsupported(file, cluster, user);
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  // client-node refuses plain HTTP otherwise, which `kubectl proxy` and test servers speak.
  const skipTLSVerify = cluster.skipTLSVerify || cluster.server.startsWith("http:");
  config.loadFromOptions({
    clusters: [{ ...cluster, skipTLSVerify }],
    users: [user],
    contexts: [context],
    currentContext: context.name,
  });
  return { config, context, cluster, user };
}

async function readAll(paths: readonly string[]): Promise<readonly KubeConfig[]> {
  const configs: KubeConfig[] = [];
  let missing: Error | undefined;
  for (const path of paths) {
    try {
      configs.push(await readOne(path));
    } catch (error) {
      if (!(error instanceof Error) || codeOf(error.cause) !== "ENOENT") throw error;
      missing ??= error;
    }
  }
  if (configs.length === 0 && missing) throw missing;
  return configs;
}

async function readOne(path: string): Promise<KubeConfig> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    throw new Error(
      `cannot read kubeconfig ${path}: ${codeOf(cause)}; name another with --kubeconfig or KUBECONFIG`,
      { cause },
    );
  }
  const { KubeConfig, loadYaml } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  try {
    config.loadFromString(text);
    const raw = loadYaml<RawKubeconfig>(text);
    config.users = config.users.map((user) => completedUser(user, raw, path));
  } catch (error) {
    // No cause: a YAML error quotes lines of the file.
    const { reason, mark, message } = error as YamlError;
    const line = mark ? `line ${mark.line + 1}: ` : "";
    throw new Error(
      `cannot read kubeconfig ${path}: ${line}${reason ?? message}; repair it, or name another with --kubeconfig or KUBECONFIG`,
    );
  }
  config.makePathsAbsolute(dirname(path));
  return config;
}

/** client-node knows neither `tokenFile` nor what plugins expect in their environment. */
function completedUser(user: User, raw: RawKubeconfig, path: string): User {
  const { tokenFile } = raw.users?.find(({ name }) => name === user.name)?.user ?? {};
  if (tokenFile) {
    const config = {
      tokenFile: isAbsolute(tokenFile) ? tokenFile : join(dirname(path), tokenFile),
    };
    return { ...user, token: undefined as never, authProvider: { name: "tokenFile", config } };
  }
  return user.exec ? { ...user, exec: completedPlugin(user.exec, path) } : user;
}

/** https://kubernetes.io/docs/reference/access-authn-authz/authentication/#input-and-output-formats */
function completedPlugin(exec: ExecPlugin, path: string): ExecPlugin {
  const { command, apiVersion, env } = exec;
  const info = { apiVersion, kind: "ExecCredential", spec: { interactive: false } };
  const relative = command?.includes(sep) && !isAbsolute(command) ? command : undefined;
  return {
    ...exec,
    ...(relative !== undefined && { command: join(dirname(path), relative) }),
    env: [{ name: "KUBERNETES_EXEC_INFO", value: JSON.stringify(info) }, ...(env ?? [])],
  };
}

function chosen<T extends { readonly name: string }>(options: {
  file: string;
  what: string;
  list: readonly T[];
  name: string | undefined;
}): T {
  const { file, what, list, name } = options;
  const found = list.find((entry) => entry.name === name);
  if (found) return found;
  const names = list.map((entry) => entry.name).join(", ") || "none";
  if (!name) {
    throw new Error(
      `cannot use kubeconfig ${file}: expected a current-context, got none; choose one with --context: ${names}`,
    );
  }
  throw new Error(
    `cannot use kubeconfig ${file}: expected a ${what} named "${name}", got ${names}; name one of these, or repair the file`,
  );
}

function refuseUnsupported(file: string, cluster: Cluster, user: User): void {
  if (!/^https?:$/.test(URL.parse(cluster.server)?.protocol ?? "")) {
    throw new Error(
      `cannot use kubeconfig ${file}: expected server of cluster "${cluster.name}" to be an http or https URL, got "${cluster.server}"; repair the file`,
    );
  }
  const feature = cluster.proxyUrl ? "proxy-url" : user.impersonateUser ? "as (impersonation)" : "";
  if (feature === "") return;
  const owner = cluster.proxyUrl ? `cluster "${cluster.name}"` : `user "${user.name}"`;
  throw new Error(
    `cannot use kubeconfig ${file}: ${feature} of ${owner} is not supported; choose a context without it`,
  );
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string } | undefined)?.code;
}

interface YamlError {
  readonly message: string;
  readonly reason?: string;
  readonly mark?: { readonly line: number };
}

interface RawKubeconfig {
  readonly users?: readonly { readonly name: string; readonly user?: { tokenFile?: string } }[];
}

interface ExecPlugin {
  readonly command?: string;
  readonly apiVersion?: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
}
