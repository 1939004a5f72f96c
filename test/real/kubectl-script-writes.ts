import { configMap } from "./kubectl-manifests.ts";
import { type KubectlStep, step } from "./kubectl-step.ts";

export function writeSteps(): readonly KubectlStep[] {
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

export function waitSteps(): readonly KubectlStep[] {
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
