import {
  configMap,
  definition,
  deployment,
  event,
  held,
  namespace,
  secret,
  service,
  website,
} from "./kubectl-manifests.ts";

/** One command of the script, and what is compared of it. */
export interface KubectlStep {
  readonly args: readonly string[];
  /** Standard input, as JSON. */
  readonly input?: object | string;
  /** Commands that run once this one waits. */
  readonly meanwhile?: readonly (readonly string[])[];
  /** Ends the command once it has printed so many lines. */
  readonly until?: number;
  /** Only lines of standard output that match are compared. */
  readonly lines?: RegExp;
  /** Lines that match are not compared; `why` says why. */
  readonly except?: RegExp;
  readonly why?: string;
  /** Lines are compared in any order. */
  readonly sorted?: boolean;
  /** Why the outputs differ, where they do: then they are not compared. */
  readonly differs?: string;
}

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

type More = Omit<KubectlStep, "args">;

/** A command line, split at spaces; what has spaces itself is given apart, as `{0}`, `{1}`. */
function step(line: string, more: More & { readonly words?: readonly string[] } = {}): KubectlStep {
  const { words = [], ...rest } = more;
  const args = line
    .split(" ")
    .map((word) => word.replace(/\{(\d)\}/, (_, index: string) => words[Number(index)] ?? ""));
  return { args, ...rest };
}

const fromInput = (line: string, input: object | string, more: More = {}) =>
  step(`${line} -f -`, { input, ...more });

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

function getSteps(): readonly KubectlStep[] {
  return [
    step("get websites"),
    step("get ws -o wide"),
    step("get website shop -o yaml"),
    step("get website shop blog -o json"),
    step("get websites -o name"),
    step("get pages"),
    step("get websites,configmaps -o name", { lines: /website|first|second/ }),
    step("get website shop -o jsonpath={.spec.host}/{.metadata.generation}"),
    step(
      "get websites -o jsonpath={range .items[*]}{.metadata.name}={.spec.mode};{end}".replace(
        "{range .items",
        "{0}",
      ),
      {
        words: ["{range .items"],
      },
    ),
    step("get websites -o custom-columns=NAME:.metadata.name,HOST:.spec.host,NONE:.spec.none"),
    step("get websites -o go-template={{len .items}}".replace("{{len .items}}", "{0}"), {
      words: ["{{len .items}}"],
    }),
    step("get websites --show-labels"),
    step("get websites -L tier --no-headers"),
    step("get websites -A"),
    step("get websites --show-kind"),
    step("get websites -l tier=front"),
    step("get websites -l {0}", { words: ["tier in (front,back)"] }),
    step("get websites -l !tier"),
    step("get websites --field-selector=metadata.name=blog"),
    step("get websites --field-selector=spec.host=x"),
    step("get websites --sort-by=.spec.host"),
    step("get websites --chunk-size=1"),
    step("get configmaps -l tier=front -o wide"),
    step("get secret,service"),
    step("get service front -o yaml"),
    step("get secret keys -o jsonpath={.data.password}"),
    step("get websites --output-watch-events -w", {
      until: 5,
      meanwhile: [["annotate", "website", "blog", "seen=1"]],
    }),
    step("get configmap first -w -o name", {
      until: 2,
      meanwhile: [["label", "configmap", "first", "seen=1"]],
    }),
    step(
      "get websites --watch-only --output-watch-events -o jsonpath={.object.metadata.name}:{.type}",
      {
        until: 1,
        meanwhile: [["annotate", "website", "wiki", "seen=1"]],
        differs: "without a new line at its end nothing tells that it has printed",
      },
    ),
    step("get configmap nothing --ignore-not-found"),
    step("get --raw /apis/web.example.com"),
  ];
}

function describeSteps(ns: string): readonly KubectlStep[] {
  return [
    step("describe configmap first"),
    step("describe website shop"),
    step("describe websites -l !tier"),
    step(`describe namespace ${ns}`, {
      except: /^No (resource quota|LimitRange resource)\.$/,
      why: "ours has no quotas and limits",
    }),
    step("describe secret keys"),
    step("describe service front"),
    step("describe serviceaccount default"),
    step("describe crd websites.web.example.com"),
    step("describe configmap nothing"),
  ];
}

/** Names and types; the data cut from Kubernetes have no texts. */
const FIELDS = /^(GROUP|KIND|VERSION|FIELDS?)|^ *\S+\t/;

function explainSteps(): readonly KubectlStep[] {
  return [
    step("explain website", { lines: FIELDS }),
    step("explain website.spec"),
    step("explain website.spec.mode"),
    step("explain website.status.conditions --recursive"),
    step("explain website.nothing"),
    step("explain nothing"),
    step("explain deployment.spec.replicas", { lines: FIELDS }),
    step("explain deployment.spec.strategy --recursive", { lines: FIELDS }),
    step("explain configmap --recursive", { lines: FIELDS }),
    step("explain pod.spec.containers.ports", { lines: FIELDS }),
  ];
}

function writeSteps(): readonly KubectlStep[] {
  const patch = (line: string, body: object) =>
    step(`patch ${line} -p {0}`, { words: [JSON.stringify(body)] });
  return [
    patch("configmap first", { data: { c: "6" } }),
    patch("configmap first", { data: { c: "6" } }),
    patch("configmap first --type=merge", { data: { c: null } }),
    patch("configmap first --type=json", [{ op: "add", path: "/data/d", value: "7" }]),
    patch("configmap first --type=json", [{ op: "remove", path: "/data/nothing" }]),
    patch("configmap first --type=json", [{ op: "test", path: "/data/d", value: "8" }]),
    patch("configmap first --type=strategic", { metadata: { $deleteFromPrimitiveList: {} } }),
    patch("configmap first --dry-run=server -o yaml", { data: { e: "9" } }),
    patch("website shop", { spec: { mode: "fast" } }),
    patch("website shop --type=strategic", { spec: { mode: "fast" } }),
    patch("website shop --type=merge", { spec: { mode: "fast" } }),
    patch("website shop --type=merge", { spec: { mode: "slow" } }),
    patch("website shop --type=merge", { spec: { shade: "blue" } }),
    patch("website shop --type=merge --subresource=status", {
      status: { replicas: 1, conditions: [{ type: "Ready", status: "False", reason: "Starting" }] },
    }),
    patch("website shop --type=merge --subresource=scale", { spec: { replicas: 2 } }),
    patch("website nothing --type=merge", {}),
    step("get website shop --subresource=status -o yaml"),
    step("get website shop --subresource=scale"),
    step("label configmap first tier=back"),
    step("label configmap first tier=back --overwrite"),
    step("label configmap first tier-"),
    step("label configmap first nothing-"),
    step("label configmap first {0}", { words: ["bad key=1"] }),
    step("label configmaps --all team=a", { sorted: true }),
    step("label configmap first team=b --resource-version=1 --overwrite"),
    step("label configmap first --list", { sorted: true }),
    step("annotate website shop note={0}", { words: ["two words"] }),
    step("annotate website shop note=other"),
    step("annotate website shop note-"),
    step("scale website shop --replicas=3"),
    step("scale website shop --replicas=3 --current-replicas=9"),
    step("scale configmap first --replicas=3"),
    step("get website shop -o jsonpath={.spec.replicas}"),
    step("set data configmap first"),
    step("edit configmap first", { input: "" }),
    step("get configmap first -o yaml"),
    step("get website shop -o yaml --show-managed-fields"),
  ];
}

function waitSteps(): readonly KubectlStep[] {
  const ready = JSON.stringify({
    status: { conditions: [{ type: "Ready", status: "True", reason: "Serves" }] },
  });
  return [
    step("wait --for=condition=Ready=false website/shop --timeout=10s"),
    step("wait --for=condition=Ready website/shop --timeout=1s"),
    step("wait --for=condition=Ready website/shop --timeout=20s", {
      meanwhile: [
        ["patch", "website", "shop", "--type=merge", "--subresource=status", "-p", ready],
      ],
    }),
    step("wait --for=condition=Ready website/shop --timeout=10s"),
    step("wait --for=jsonpath={.spec.host}=shop.example.com website/shop --timeout=10s"),
    step("wait --for=jsonpath={.data.later}=yes configmap/second --timeout=20s", {
      meanwhile: [["patch", "configmap", "second", "-p", '{"data":{"later":"yes"}}']],
    }),
    step("wait --for=create configmap/later --timeout=20s", {
      meanwhile: [["apply", "-f", "-"]],
      input: configMap("later", {}),
    }),
    step("wait --for=delete configmap/later --timeout=20s", {
      meanwhile: [["delete", "configmap", "later"]],
    }),
    step("wait --for=delete configmap/later --timeout=10s"),
    step("wait --for=condition=Ready website/nothing --timeout=1s"),
    step("wait --for=condition=Ready websites --all --timeout=1s", { sorted: true }),
    step("get website shop"),
    step("describe website shop"),
  ];
}

function deploymentSteps(): readonly KubectlStep[] {
  const status = (name: string) =>
    step(`rollout status deployment/${name} --timeout=30s`, {
      differs: "the waits in between are as they come",
    });
  const settled = (name: string) =>
    step(`wait --for=jsonpath={.status.replicas}=2 deployment/${name} --timeout=30s`);
  return [
    fromInput("apply", deployment("web", "nginx:1")),
    status("web"),
    settled("web"),
    fromInput("apply", deployment("web", "nginx:1")),
    step("rollout status deployment/web --timeout=30s"),
    step("get deployment web"),
    step("get deployment web -o wide"),
    step("get deployment web -o yaml"),
    step("get replicasets -o wide"),
    step("describe deployment web"),
    step("get deployments,replicasets -o name"),
    fromInput("diff", deployment("web", "nginx:2")),
    step("set image deployment/web main=nginx:2"),
    status("web"),
    settled("web"),
    step("rollout history deployment/web"),
    step("rollout history deployment/web --revision=2"),
    step("events --for=deployment/web", { sorted: true }),
    step("rollout restart deployment/web"),
    status("web"),
    settled("web"),
    step("rollout history deployment/web"),
    step("rollout undo deployment/web --to-revision=1"),
    status("web"),
    settled("web"),
    step("rollout undo deployment/web --to-revision=9"),
    step("rollout history deployment/web"),
    step("get deployment web -o jsonpath={.spec.template.spec.containers[0].image}"),
    step("set env deployment/web MODE=safe"),
    status("web"),
    settled("web"),
    step("set env deployment/web --list"),
    step("set resources deployment/web --limits=cpu=200m"),
    status("web"),
    settled("web"),
    step("rollout pause deployment/web"),
    step("get deployment web -o jsonpath={.spec.paused}"),
    step("rollout resume deployment/web"),
    step("scale deployment web --replicas=3"),
    step("wait --for=jsonpath={.status.availableReplicas}=3 deployment/web --timeout=30s"),
    step("scale deployment web --replicas=0"),
    step("wait --for=jsonpath={.spec.replicas}=0 deployment/web --timeout=30s"),
    status("web"),
    step("get deployment web"),
    step("get deployment web --subresource=scale"),
    step("get replicasets --sort-by=.metadata.annotations.deployment\\.kubernetes\\.io/revision", {
      sorted: true,
    }),
    step("describe deployment web", {
      except: /ScalingReplicaSet/,
      why: "Kubernetes tells many events of one kind as one",
    }),
    step("autoscale deployment web --max=3 --dry-run=client -o name"),
  ];
}

function eventSteps(ns: string): readonly KubectlStep[] {
  return [
    fromInput("create", event("shop.1", ns)),
    step("events --for=website/shop"),
    step("events --types=Warning"),
    step("get events --field-selector=involvedObject.kind=Website"),
    step("get events --field-selector=involvedObject.kind=Website -o wide"),
    step("get events --field-selector=involvedObject.name=shop,type=Warning -o yaml"),
    step("get events.events.k8s.io shop.1 -o yaml"),
    step("describe website shop"),
    step("get event shop.1 -o jsonpath={.reason}"),
  ];
}

function errorSteps(): readonly KubectlStep[] {
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

function deleteSteps(ns: string): readonly KubectlStep[] {
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
