import { createHash } from "node:crypto";
import type { Deployment, Manifest } from "tidegate";
import type { Guestbook } from "./resource.ts";

const IMAGE = "nginx:1.29";

/** The Deployment that serves a guestbook. */
export function deploymentFor(guestbook: Guestbook): Manifest<Deployment> {
  const { size, configMapName, type } = guestbook.spec;
  const labels = podLabelsOf(guestbook);
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
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}

/** A label holds 63 characters, a name up to 253. https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/ */
export function podLabelsOf({ metadata: { name } }: Guestbook): Record<string, string> {
  const value = name.length <= 63 ? name : createHash("sha256").update(name).digest("hex");
  return { "webapp.example.com/guestbook": value.slice(0, 63) };
}
