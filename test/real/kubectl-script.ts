import { configMap, definition, namespace, secret, service, website } from "./kubectl-manifests.ts";
import { deleteSteps, errorSteps } from "./kubectl-script-ends.ts";
import { describeSteps, explainSteps, getSteps } from "./kubectl-script-reads.ts";
import { deploymentSteps, eventSteps } from "./kubectl-script-workloads.ts";
import { waitSteps, writeSteps } from "./kubectl-script-writes.ts";
import { fromInput, type KubectlStep, step } from "./kubectl-step.ts";

/** The commands, in order. Each needs what those before it left. */
export function kubectlScript(ns: string): readonly KubectlStep[] {
  return [
    ...serverSteps(),
    ...applySteps(ns),
    ...getSteps(),
    ...describeSteps(ns),
    ...explainSteps(),
    ...writeSteps(),
    ...waitSteps(),
    ...deploymentSteps(),
    ...eventSteps(ns),
    ...errorSteps(),
    ...deleteSteps(ns),
  ];
}

function serverSteps(): readonly KubectlStep[] {
  return [
    step("version", { differs: "the versions are other ones" }),
    step("cluster-info"),
    step("get --raw /healthz"),
    step("get --raw /readyz"),
    step("get --raw /nothing"),
    step("auth can-i create deployments"),
    step("auth can-i * * --all-namespaces"),
    step("auth can-i get configmaps/status --namespace=kube-system"),
    step("auth can-i get /healthz"),
    step("auth can-i create pods --subresource=exec"),
    step("auth whoami", { differs: "the users are other ones" }),
    step("api-versions", { lines: VERSIONS }),
    step("api-resources", { lines: RESOURCES }),
    step("api-resources --namespaced=false -o wide", {
      lines: /^(namespaces|nodes|priorityclasses) /,
    }),
    step("api-resources --api-group=apps -o name", { lines: /^(deployments|replicasets)/ }),
    step("api-resources --verbs=list,watch --sort-by=name -o name", { lines: /^(config|deploy)/ }),
    step("get namespaces -o name", { lines: /default|kube-system|kube-public|kube-node-lease/ }),
    step("get service kubernetes -o jsonpath={.spec.ports[0].name}"),
  ];
}

/** Of groups and kinds that both serve. */
const VERSIONS =
  /^(v1|apps\/v1|batch\/v1|events.k8s.io\/v1|apiextensions.k8s.io\/v1|networking.k8s.io\/v1)$/;
const RESOURCES =
  /^(NAME|(configmaps|secrets|services|serviceaccounts|pods|nodes|events|endpoints|namespaces|persistentvolumeclaims|deployments|replicasets|statefulsets|daemonsets|jobs|cronjobs|ingresses|ingressclasses|networkpolicies|roles|rolebindings|clusterroles|clusterrolebindings|poddisruptionbudgets|horizontalpodautoscalers|leases|endpointslices|priorityclasses|storageclasses|customresourcedefinitions|flowschemas|prioritylevelconfigurations|websites) )/;

function applySteps(ns: string): readonly KubectlStep[] {
  const labels = { labels: { tier: "front" } };
  return [
    fromInput("create --save-config", namespace(ns)),
    fromInput("apply", definition),
    fromInput("apply", definition),
    step("wait --for=condition=Established crd/websites.web.example.com --timeout=10s"),
    step("get crd websites.web.example.com"),
    fromInput("diff", configMap("first", { a: "1" })),
    fromInput("apply", configMap("first", { a: "1" }, labels)),
    fromInput("apply", configMap("first", { a: "1" }, labels)),
    fromInput("diff", configMap("first", { a: "2", b: "3" })),
    fromInput("apply --dry-run=server", configMap("first", { a: "2", b: "3" })),
    fromInput("apply --dry-run=client", configMap("first", { a: "2", b: "3" })),
    fromInput("apply", configMap("first", { a: "2", b: "3" }, labels)),
    fromInput("diff", configMap("first", { a: "2", b: "3" }, labels)),
    fromInput("apply -o yaml", configMap("first", { b: "3" }, labels)),
    step("apply view-last-applied configmap/first"),
    fromInput("apply --server-side", configMap("first", { b: "4" }, labels)),
    fromInput("apply --server-side", configMap("first", { b: "4" }, labels)),
    step("get configmap first -o yaml --show-managed-fields"),
    fromInput("apply --server-side --field-manager=other", configMap("first", { b: "5" })),
    fromInput(
      "apply --server-side --field-manager=other --force-conflicts",
      configMap("first", { b: "5" }),
    ),
    fromInput("diff --server-side --field-manager=other", configMap("first", { b: "6" })),
    step("get configmap first -o json --show-managed-fields"),
    fromInput("apply", website("shop", { host: "shop.example.com", pages: ["a", "b"] }, labels)),
    fromInput("apply", website("shop", { host: "shop.example.com", pages: ["a"] }, labels)),
    fromInput("apply", website("blog", { host: "blog.example.com", mode: "safe" })),
    fromInput("apply --server-side", website("blog", { host: "blog.example.com", mode: "fast" })),
    fromInput("apply --server-side", website("wiki", { host: "wiki.example.com" })),
    // The API server tells faults of custom resources in no order.
    fromInput("apply", website("poor", { host: "x", replicas: -1, mode: "slow" }), {
      sorted: true,
    }),
    fromInput("apply", website("odd", { host: "odd.example.com", colour: "red" })),
    fromInput("apply --validate=warn", website("odd", { host: "odd.example.com", colour: "red" })),
    fromInput("apply --validate=ignore", website("odd", { host: "odd.example.com", size: 1 })),
    fromInput("apply", secret("keys")),
    fromInput("apply", secret("keys")),
    fromInput("apply", service("front")),
    fromInput("apply", service("front")),
    fromInput("create", configMap("second", { x: "1" })),
    fromInput("create", configMap("second", { x: "1" })),
    fromInput("replace", configMap("second", { x: "2" })),
    fromInput("replace --force", configMap("second", { x: "3" })),
    fromInput("replace", configMap("missing", { x: "2" })),
    fromInput("create", {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { generateName: "generated-" },
    }),
    fromInput("apply", {
      apiVersion: "v1",
      kind: "List",
      items: [configMap("l1", {}), configMap("l2", {})],
    }),
    step("delete configmap -l !none --dry-run=server", { sorted: true }),
  ];
}
