import type { Schema } from "../../local/kube/schema.ts";

export type Body = Record<string, unknown>;

/** One write to one object, as it goes over the wire. */
export interface FuzzWrite {
  readonly how: "create" | "apply" | "put" | "merge" | "strategic" | "json";
  readonly manager: string;
  readonly subresource?: "status";
  readonly force: boolean;
  readonly body: unknown;
}

/** Parts of objects of one kind, made by chance. */
export interface FuzzKind {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  /** What the server requires of a new object. */
  readonly base: Body;
  readonly part: (random: Random) => Body;
  readonly status?: (random: Random) => Body;
  /** Of JSON patches. */
  readonly paths: readonly string[];
}

/** Choices by a seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return ((this.#state >>> 8) & 0xffff) / 0x1_0000;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() * from.length)] as T;
  }

  some<T>(from: readonly T[]): T[] {
    const ranked = from.filter(() => this.chance(0.6)).map((item) => ({ item, at: this.next() }));
    return ranked.sort((a, b) => a.at - b.at).map(({ item }) => item);
  }

  texts(): Record<string, string> {
    const names = ["a", "b", "c"].filter(() => this.chance(0.5));
    return Object.fromEntries(names.map((name) => [name, this.pick(["1", "2"])]));
  }

  /** Each field with the chance of a half. */
  fields(all: Record<string, () => unknown>): Body {
    const kept = Object.entries(all).filter(() => this.chance(0.5));
    return Object.fromEntries(kept.map(([name, make]) => [name, make()]));
  }
}

const TYPES = ["A", "B", "C"];
const time = "2020-01-01T00:00:00Z";

function metadata(random: Random): Body {
  if (random.chance(0.6)) return {};
  return random.fields({
    labels: () => random.texts(),
    annotations: () => random.texts(),
    finalizers: () => random.some(["f.io/a", "f.io/b"]),
    ownerReferences: () =>
      random.some(["u1", "u2"]).map((uid) => ({
        apiVersion: "v1",
        kind: "ConfigMap",
        name: uid,
        uid,
      })),
  });
}

const configMaps: FuzzKind = {
  group: "",
  plural: "configmaps",
  kind: "ConfigMap",
  base: {},
  part: (random) => ({
    metadata: metadata(random),
    ...random.fields({ data: () => (random.chance(0.1) ? null : random.texts()) }),
  }),
  paths: ["/data/a", "/data/b", "/metadata/labels/a"],
};

const port = { port: 80, name: "n80", protocol: "TCP", targetPort: 80 };

const services: FuzzKind = {
  group: "",
  plural: "services",
  kind: "Service",
  base: { spec: { ports: [port] } },
  part: (random) => ({
    metadata: metadata(random),
    spec: random.fields({
      selector: () => random.texts(),
      ports: () => [
        ...random.some([81, 82]).map((each) => ({
          port: each,
          name: `n${each}`,
          ...random.fields({ protocol: () => "TCP", targetPort: () => random.pick([8080, "web"]) }),
        })),
        port,
      ],
    }),
  }),
  paths: ["/metadata/labels/a", "/spec/selector/a"],
};

function container(random: Random, name: string): Body {
  return {
    name,
    image: random.pick(["i:1", "i:2"]),
    ...random.fields({
      env: () => random.some(TYPES).map((each) => ({ name: each, value: random.pick(["1", "2"]) })),
      ports: () => random.some([80, 81]).map((containerPort) => ({ containerPort })),
      resources: () => ({ limits: { cpu: random.pick(["1", "2"]) } }),
      args: () => random.some(["x", "y"]),
    }),
  };
}

function podSpec(random: Random): Body {
  return {
    containers: ["c1", ...random.some(["c2", "c3"])].map((name) => container(random, name)),
    ...random.fields({ nodeSelector: () => random.texts(), securityContext: () => ({}) }),
  };
}

const selector = { matchLabels: { app: "x" } };
const template = {
  metadata: { labels: { app: "x" } },
  spec: { containers: [{ name: "c1", image: "i" }] },
};

const deployments: FuzzKind = {
  group: "apps",
  plural: "deployments",
  kind: "Deployment",
  base: { spec: { selector, template } },
  part: (random) => ({
    metadata: metadata(random),
    spec: {
      selector,
      template: { metadata: { labels: { app: "x", ...random.texts() } }, spec: podSpec(random) },
      ...random.fields({
        replicas: () => random.pick([1, 2, 3]),
        minReadySeconds: () => random.pick([0, 5]),
        strategy: () => ({ type: "Recreate", rollingUpdate: null }),
      }),
    },
  }),
  status: (random) =>
    random.fields({
      replicas: () => random.pick([1, 2]),
      conditions: () =>
        random.some(TYPES).map((type) => ({
          type,
          status: random.pick(["True", "False"]),
          lastTransitionTime: time,
          lastUpdateTime: time,
        })),
    }),
  paths: ["/metadata/labels/a", "/metadata/annotations/b"],
};

const text: Schema = { type: "string" };

/** Of the custom kind: all sorts of lists, maps and fields without a schema. */
export const WIDGET_SCHEMA: Schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        replicas: { type: "integer" },
        tags: { type: "array", items: text, "x-kubernetes-list-type": "set" },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port", "protocol"],
          items: {
            type: "object",
            required: ["port"],
            properties: {
              port: { type: "integer" },
              protocol: { type: "string", default: "TCP" },
              env: { type: "object", additionalProperties: text },
            },
          },
        },
        plain: { type: "array", items: text },
        whole: {
          type: "object",
          "x-kubernetes-map-type": "atomic",
          properties: { a: text, b: text, c: text },
        },
        data: { type: "object", additionalProperties: text },
        maybe: { type: "object", nullable: true, properties: { a: { ...text, nullable: true } } },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        any: { "x-kubernetes-preserve-unknown-fields": true },
      },
    },
    status: { type: "object", properties: { phase: text, count: { type: "integer" } } },
  },
};

const widgets: FuzzKind = {
  group: "fuzz.test",
  plural: "widgets",
  kind: "Widget",
  base: {},
  part: (random) => ({
    metadata: metadata(random),
    spec: random.fields({
      replicas: () => random.pick([1, 2, null]),
      tags: () => random.some(["t1", "t2", "é<"]),
      ports: () =>
        random.some([80, 81]).map((each) => ({
          port: each,
          ...random.fields({ protocol: () => "TCP", env: () => random.texts() }),
        })),
      plain: () => random.some(["p", "q"]),
      whole: () => random.texts(),
      data: () => random.pick([random.texts(), random.texts(), null]),
      maybe: () => random.pick([null, {}, { a: null }, { a: "1" }]),
      free: () => random.pick([{}, { x: 1 }, { x: { y: "1", l: [1, 2] } }, { x: { z: null } }]),
      any: () => random.pick([1, "s", [1], { a: { b: 1 } }]),
    }),
  }),
  status: (random) =>
    random.fields({ phase: () => random.pick(["x", "y"]), count: () => random.pick([1, 2]) }),
  paths: ["/spec/tags/-", "/spec/tags/0", "/spec/plain/-", "/spec/data/a", "/spec/free/x"],
};

export const FUZZ_KINDS: readonly FuzzKind[] = [configMaps, services, deployments, widgets];
