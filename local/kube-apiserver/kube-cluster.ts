import { rm } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { Daemon } from "./daemon.ts";
import { clientCertificate, type KubeFiles, kubeconfig, write } from "./kube-files.ts";
import { type KubeConnection, kubeRequest } from "./kube-request.ts";
import type { Kube, KubeClusterOptions } from "./start-kube-cluster.ts";

export interface KubeClusterPlan {
  readonly options: KubeClusterOptions;
  readonly files: KubeFiles;
  /** Of kube-apiserver. */
  readonly port: number;
  /** Temporary; removed at the end. */
  readonly runDir: string;
  /** May be the same as `runDir`. */
  readonly dataDir: string;
  /** Held, and given back at the end. */
  readonly lockPath: string;
}

/** The programs of one cluster, and what may be done to them while they run. */
export class KubeCluster {
  readonly #plan: KubeClusterPlan;
  readonly #connection: KubeConnection;
  readonly #ended = new AbortController();
  readonly #daemons: { etcd?: Daemon; apiserver?: Daemon; controllerManager?: Daemon } = {};
  #controllers: Promise<void> | undefined;
  #kubeconfigCount = 0;

  private constructor(plan: KubeClusterPlan) {
    this.#plan = plan;
    this.#connection = {
      url: `https://127.0.0.1:${plan.port}`,
      ca: plan.files.authority.certificate,
      token: plan.files.adminToken,
    };
  }

  /** Resolves once kube-apiserver is ready. Leaves nothing behind if it rejects. */
  static async start(plan: KubeClusterPlan): Promise<Kube> {
    const cluster = new KubeCluster(plan);
    const { signal } = plan.options;
    const onAbort = () => void cluster.#stop();
    try {
      signal?.throwIfAborted();
      signal?.addEventListener("abort", onAbort, { once: true });
      await cluster.#startEtcd();
      await cluster.#startApiserver();
      await cluster.#startControllers();
      const kube = await cluster.#kube();
      cluster.#ended.signal.throwIfAborted();
      return kube;
    } catch (error) {
      await cluster.#stop();
      throw error;
    }
  }

  async #kube(): Promise<Kube> {
    const { dataDir, files, options } = this.#plan;
    const kubeconfigPath = join(dataDir, "kubeconfig");
    await write(kubeconfigPath, kubeconfig(this.#connection, { token: files.adminToken }));
    const { body } = await kubeRequest(this.#connection, { path: "/version" });
    return {
      ...this.#connection,
      kubeconfigPath,
      caPath: files.caPath,
      dataDir,
      auditLogPath: this.#auditLogPath,
      version: (body as { gitVersion: string }).gitVersion,
      kubectlPath: options.programs.kubectl,
      pid: () => this.#daemons.apiserver?.pid ?? 0,
      kubeconfigFor: (user) => this.#kubeconfigFor(user),
      compact: () => compactEtcd(this.#socketPath),
      kill: async () => this.#daemons.apiserver?.kill(),
      restart: async () => {
        // Time for watches to end in an orderly way, as in a rolling update.
        await this.#daemons.apiserver?.stop(1_000);
        await this.#startApiserver();
      },
      etcdPid: () => this.#daemons.etcd?.pid ?? 0,
      killEtcd: async () => this.#daemons.etcd?.kill(),
      restartEtcd: () => this.#startEtcd(),
      stop: () => this.#stop(),
    };
  }

  async #startEtcd(): Promise<void> {
    const url = `unix://${this.#socketPath}`;
    const args = [
      "--name=tidegate",
      "--initial-cluster=tidegate=http://localhost:2380", // Its own default, and never contacted.
      `--data-dir=${join(this.#plan.dataDir, "etcd")}`,
      // A socket: etcd asks for no password, and no port can be taken meanwhile.
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      "--listen-peer-urls=http://127.0.0.1:0",
      "--unsafe-no-fsync",
      "--log-level=warn",
    ];
    const etcd = await this.#daemon("etcd", this.#plan.options.programs.etcd, args, PROGRESS);
    this.#daemons.etcd = etcd;
    await etcd.whenReady(async (signal) => {
      const answer = await etcdRequest(this.#socketPath, { path: "/health", signal });
      return (answer as { health?: string }).health === "true";
    }, this.#startLimits);
  }

  async #startApiserver(): Promise<void> {
    const { options, files, port } = this.#plan;
    const apiserver = await this.#daemon("kube-apiserver", options.programs.kubeApiserver, [
      `--etcd-servers=unix://${this.#socketPath}`,
      "--bind-address=127.0.0.1",
      "--advertise-address=127.0.0.1",
      "--endpoint-reconciler-type=none", // Loopback is no valid address of an endpoint.
      `--secure-port=${port}`,
      "--service-cluster-ip-range=10.96.0.0/16",
      "--service-account-issuer=https://kubernetes.default.svc",
      `--authorization-mode=${options.authorization ?? "AlwaysAllow"}`,
      "--anonymous-auth=false",
      "--disable-admission-plugins=ServiceAccount",
      "--allow-privileged=true",
      ...files.flags,
      ...(options.audit
        ? [`--audit-policy-file=${files.auditPolicyPath}`, `--audit-log-path=${this.#auditLogPath}`]
        : []),
      ...(options.apiserverFlags ?? []),
    ]);
    this.#daemons.apiserver = apiserver;
    await apiserver.whenReady(async (signal) => {
      const answer = await kubeRequest(this.#connection, { path: "/readyz", signal });
      return answer.status === 200;
    }, this.#startLimits);
  }

  async #startControllers(): Promise<void> {
    const { options, files } = this.#plan;
    const { kubeControllerManager } = options.programs;
    const connection = { ...this.#connection, token: files.controllersToken };
    this.#controllers = options.controllers?.(connection, this.#ended.signal);
    if (options.garbageCollector === false || !kubeControllerManager) return;
    const user = { name: "system:kube-controller-manager", groups: ["system:masters"] };
    this.#daemons.controllerManager = await this.#daemon(
      "kube-controller-manager",
      kubeControllerManager,
      [
        `--kubeconfig=${await this.#kubeconfigFor(user)}`,
        "--controllers=garbage-collector-controller,namespace-controller",
        "--leader-elect=false",
        "--secure-port=0",
      ],
    );
  }

  async #stop(): Promise<void> {
    const { etcd, apiserver, controllerManager } = this.#daemons;
    const { runDir, dataDir } = this.#plan;
    this.#ended.abort();
    // All state is in etcd, which alone needs to close its files where they are kept.
    await Promise.all([controllerManager?.kill(), apiserver?.kill(), this.#controllers]);
    await (dataDir === runDir ? etcd?.kill() : etcd?.stop(1_000));
    await rm(this.#plan.lockPath, { force: true });
    await rm(runDir, { recursive: true, force: true });
  }

  async #kubeconfigFor(user: Parameters<Kube["kubeconfigFor"]>[0]): Promise<string> {
    this.#kubeconfigCount += 1;
    const path = join(this.#plan.runDir, `kubeconfig-${this.#kubeconfigCount}`);
    const certificate = clientCertificate(this.#plan.files.authority, user);
    await write(path, kubeconfig(this.#connection, certificate));
    return path;
  }

  async #daemon(
    name: string,
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Daemon> {
    return Daemon.start({
      command,
      args,
      env,
      logPath: join(this.#plan.dataDir, `${name}.log`),
      background: this.#plan.options.background,
      removeWhenOrphaned: this.#plan.runDir,
    });
  }

  get #startLimits() {
    return { limitMs: START_LIMIT_MS, signal: this.#ended.signal };
  }

  get #socketPath(): string {
    return join(this.#plan.runDir, "etcd.sock");
  }

  get #auditLogPath(): string {
    return join(this.#plan.dataDir, "audit.log");
  }
}

/**
 * As kubeadm sets it; without it no bookmarks come of a kind that has not changed since the start. By
 * the environment, for the flag had another name before etcd 3.6.
 * https://github.com/kubernetes/kubernetes/blob/v1.34.0/cmd/kubeadm/app/phases/etcd/local.go
 */
const PROGRESS = {
  ETCD_WATCH_PROGRESS_NOTIFY_INTERVAL: "5s",
  ETCD_EXPERIMENTAL_WATCH_PROGRESS_NOTIFY_INTERVAL: "5s",
};

/** A start takes a few seconds; machines under load get more. */
const START_LIMIT_MS = 60_000;

async function compactEtcd(socketPath: string): Promise<void> {
  const range = (await etcdRequest(socketPath, {
    path: "/v3/kv/range",
    body: { key: "AA==" }, // Any key does: the answer's header has the revision of the whole store.
  })) as { header: { revision: string } };
  const { revision } = range.header;
  await etcdRequest(socketPath, {
    path: "/v3/kv/compaction",
    body: { revision, physical: true },
  });
}

async function etcdRequest(
  socketPath: string,
  { path, body, signal }: { path: string; body?: unknown; signal?: AbortSignal },
): Promise<unknown> {
  const method = body === undefined ? "GET" : "POST";
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest({ socketPath, path, method, agent: false, ...(signal && { signal }) })
      .once("response", resolve)
      .once("error", reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}
