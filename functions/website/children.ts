import { createHash } from "node:crypto";
import type { ConfigMap, Deployment, Manifest, Service } from "tidegate";
import type { Website } from "./resource.ts";

const HTTP_PORT = 80;

/** The Deployment that serves a website. */
export function deploymentFor(website: Website, content?: ConfigMap): Manifest<Deployment> {
  const labels = labelsOf(website);
  const { image, replicas, contentFrom } = website.spec;
  const volumes =
    contentFrom === undefined
      ? {}
      : // Optional: the site is up, without its content, before the ConfigMap is there.
        { volumes: [{ name: "content", configMap: { name: contentFrom, optional: true } }] };
  const volumeMounts =
    contentFrom === undefined
      ? {}
      : { volumeMounts: [{ name: "content", mountPath: "/usr/share/nginx/html/content" }] };
  return {
    metadata: { name: website.metadata.name, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { "web.example.com/content": digestOf(content) } },
        spec: {
          containers: [
            { name: "web", image, ports: [{ containerPort: HTTP_PORT }], ...volumeMounts },
          ],
          ...volumes,
        },
      },
    },
  };
}

/** The Service that makes a website reachable. */
export function serviceFor(website: Website): Manifest<Service> {
  const labels = labelsOf(website);
  return {
    metadata: { name: website.metadata.name, labels },
    spec: {
      type: "LoadBalancer",
      selector: labels,
      ports: [{ name: "http", port: HTTP_PORT, targetPort: HTTP_PORT }],
    },
  };
}

/** The name goes into a label, which holds 63 characters at most. https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/ */
function labelsOf({ metadata }: Website): Record<string, string> {
  const { name } = metadata;
  const value = name.length <= 63 ? name : hash(name);
  return { "web.example.com/website": value };
}

/** Changes with the content, so that a Deployment with new content rolls. */
function digestOf(content: ConfigMap | undefined): string {
  return content === undefined ? "none" : hash(JSON.stringify([content.data, content.binaryData]));
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
