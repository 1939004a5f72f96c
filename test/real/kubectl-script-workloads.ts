import { deployment, event } from "./kubectl-manifests.ts";
import { fromInput, type KubectlStep, step } from "./kubectl-step.ts";

export function deploymentSteps(): readonly KubectlStep[] {
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

export function eventSteps(ns: string): readonly KubectlStep[] {
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
