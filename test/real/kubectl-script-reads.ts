import { type KubectlStep, step } from "./kubectl-step.ts";

export function getSteps(): readonly KubectlStep[] {
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

export function describeSteps(ns: string): readonly KubectlStep[] {
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

export function explainSteps(): readonly KubectlStep[] {
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
