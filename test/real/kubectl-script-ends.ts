import { configMap, deployment, held, website } from "./kubectl-manifests.ts";
import { fromInput, type KubectlStep, step } from "./kubectl-step.ts";

export function errorSteps(): readonly KubectlStep[] {
  const renamed = { apiVersion: "v1", kind: "Sandwich", metadata: { name: "ham" } };
  const old = (version: string) => configMap("first", { z: "1" }, { resourceVersion: version });
  const changed = deployment("web", "nginx:1", 0);
  const other = {
    ...changed,
    spec: { ...changed.spec, selector: { matchLabels: { app: "other" } } },
  };
  return [
    step("get configmap nothing"),
    step("get configmaps nothing first -o name"),
    step("get sandwiches"),
    step("get websites -n no-such-namespace"),
    step("get website.v9.web.example.com"),
    step("delete configmap nothing"),
    step("delete configmap nothing --ignore-not-found"),
    fromInput("apply", renamed),
    fromInput("create -n no-such-namespace", configMap("a", {})),
    fromInput("create", configMap("Bad_Name", {})),
    fromInput("create", configMap("first", {}, { namespace: "kube-system" })),
    fromInput("replace", old("1")),
    fromInput("apply", other),
    fromInput("create", { ...deployment("api", "nginx:1"), spec: {} }),
    fromInput("create", {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "odd" },
      date: {},
    }),
    fromInput("create", {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "odd" },
      data: { a: 1 },
    }),
    fromInput("create", { kind: "ConfigMap", metadata: { name: "odd" } }),
    fromInput("create", { apiVersion: "v1", kind: "ConfigMap" }),
    fromInput("apply", website("nohost", {})),
    fromInput("apply", { ...website("nospec", {}), spec: undefined }),
    fromInput("apply --server-side", website("poor", { host: "x" })),
    fromInput("apply", "}{"),
    step("get configmaps --field-selector=data.a=1"),
    step("get configmaps -l {0}", { words: ["a in b"] }),
    step("create configmap made --from-literal=a=1", { differs: "protobuf" }),
  ];
}

export function deleteSteps(ns: string): readonly KubectlStep[] {
  const unhold = [
    "patch",
    "configmap",
    "held",
    "--type=merge",
    "-p",
    '{"metadata":{"finalizers":null}}',
  ];
  const gone = (name: string) => step(`wait --for=delete ${name} --timeout=30s`);
  const owned = (line: string) => step(line, { sorted: true });
  return [
    fromInput("apply", held("held")),
    step("delete configmap held --wait=false"),
    step("delete configmap held --timeout=2s", {
      except: /LOG reflector/,
      why: "client-go tells now and then that its watch has ended with the time",
    }),
    step("get configmap held -o yaml"),
    step("delete configmap held --timeout=30s", { meanwhile: [unhold] }),
    step("get configmap held"),
    fromInput("apply", deployment("api", "nginx:1", 1)),
    step("rollout status deployment/api --timeout=30s", { differs: "the waits are as they come" }),
    step("delete deployment api --cascade=orphan"),
    owned("get replicasets -l app=api"),
    owned("delete replicasets -l app=api --cascade=foreground --timeout=30s"),
    owned("get replicasets -l app=api"),
    fromInput("apply", deployment("api", "nginx:1", 1)),
    step("rollout status deployment/api --timeout=30s", { differs: "the waits are as they come" }),
    step("delete deployment api --cascade=background"),
    step("wait --for=delete replicasets -l app=api --timeout=30s", {
      differs: "it may be gone before",
    }),
    owned("get replicasets -l app=api"),
    step("delete deployment web --cascade=foreground --timeout=30s"),
    fromInput("delete", configMap("second", {})),
    fromInput("delete --ignore-not-found", configMap("second", {})),
    fromInput("delete", configMap("second", {})),
    step("delete website wiki --now"),
    step("delete website blog -o name"),
    owned("delete websites --all"),
    step("delete configmap l1 l2 nothing"),
    step("delete service front"),
    step("delete secret keys --grace-period=0 --force"),
    step("delete crd websites.web.example.com --timeout=30s"),
    step("get websites"),
    step(`delete namespace ${ns} --timeout=60s`),
    step(`get namespace ${ns}`),
    gone(`namespace/${ns}`),
  ];
}
