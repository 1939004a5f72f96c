import { createHash } from "node:crypto";
import type { ConfigMap, Deployment, Manifest } from "tidegate";
import type { Guestbook } from "./resource.ts";

const IMAGE = "nginx:1.29";

/** The Deployment that serves a guestbook. New settings roll it, since pods read theirs at their start. */
export function deploymentFor(guestbook: Guestbook, settings: ConfigMap): Manifest<Deployment> {
  const { size, configMapName, type } = guestbook.spec;
  const labels = podLabelsOf(guestbook);
  const annotations = { "webapp.example.com/settings": digestOf(JSON.stringify(settings.data)) };
  const container = {
    name: "guestbook",
    image: IMAGE,
    env: [{ name: "ENTRY_TYPE", value: type }],
    envFrom: [{ configMapRef: { name: configMapName } }],
  };
  return {
    metadata: { name: guestbook.metadata.name, labels },
    spec: {
      replicas: size,
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations }, spec: { containers: [container] } },
    },
  };
}

/** A label holds 63 characters, a name up to 253. https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/ */
export function podLabelsOf({ metadata: { name } }: Guestbook): Record<string, string> {
  const value = name.length <= 63 ? name : digestOf(name);
  return { "webapp.example.com/guestbook": value };
}

function digestOf(text = ""): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
