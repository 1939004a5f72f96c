import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Kube, startKube } from "./kube-apiserver.ts";
import { KUBERNETES_VERSION, kubeBinaries } from "./kube-binaries.ts";

const HELP = `Runs a kube-apiserver with etcd on this machine, until Ctrl-C.

npm run kube -- [options]

  --port PORT        of 127.0.0.1 (default: a free one)
  --data DIR         keep the data there (default: a temporary folder)
  --rbac             authorize by RBAC (default: all who log in may do all)
  --no-deployments   do not play the Deployment controller
  --version VERSION  of Kubernetes (default: ${KUBERNETES_VERSION})
  --build            only build or find the programs, then end
  --help

The first run builds kube-apiserver, etcd, kubectl and kube-controller-manager from Go modules, which
takes many minutes; they are kept in \${XDG_CACHE_HOME:-~/.cache}/tidegate/kube. If KUBEBUILDER_ASSETS
names a folder with etcd and kube-apiserver, those are run and nothing is built.
There are no nodes: pods are never started, and Deployments only look as if they were.
`;

const interrupted = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => interrupted.abort());
}

try {
  await main();
} catch (error) {
  // The top of a program: people get the one line that matters, without a stack.
  if (!interrupted.signal.aborted) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      port: { type: "string" },
      data: { type: "string" },
      rbac: { type: "boolean", default: false },
      deployments: { type: "boolean", default: true },
      version: { type: "string" },
      build: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const version = values.version?.replace(/^v/, "");
  const { signal } = interrupted;
  const progress = (line: string) => console.error(line);
  if (values.build)
    return void (await kubeBinaries({ version, env: process.env, signal, progress }));

  const kube = await startKube({
    port: values.port === undefined ? undefined : portNumber(values.port),
    dataDir: values.data === undefined ? undefined : resolve(values.data),
    authorization: values.rbac ? "RBAC" : "AlwaysAllow",
    deployments: values.deployments,
    version,
    signal,
    progress,
  });
  console.log(ready(kube));
  await new Promise((done) => interrupted.signal.addEventListener("abort", done, { once: true }));
  await kube.stop();
}

function ready({ version, kubeconfigPath, kubectlPath = "kubectl" }: Kube): string {
  const kubeconfig = JSON.stringify(kubeconfigPath);
  return (
    `Kubernetes ${version} is ready: npm start -- --kubeconfig ${kubeconfig}, ` +
    `or ${kubectlPath} --kubeconfig ${kubeconfig} get namespaces; Ctrl-C ends it`
  );
}

function portNumber(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`cannot use --port ${text}: expected a number from 1 to 65535`);
}
