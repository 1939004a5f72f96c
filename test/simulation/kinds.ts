import type { Condition } from "../../shared/api/condition.ts";
import { defineKind, type KubernetesObject } from "../../shared/api/object.ts";

const GROUP = "sim.example.com";

/** What two controllers look after at once. */
export interface Gadget extends KubernetesObject<"sim.example.com/v1", "Gadget"> {
  readonly spec: {
    readonly size: number;
    /** The name of a Setting. */
    readonly setting: string;
    /** Whether each run of its builder fails. */
    readonly broken?: boolean;
  };
  readonly status?: {
    readonly size?: number;
    readonly conditions?: readonly Condition[];
    readonly observedGeneration?: number;
  };
}
export const Gadget = defineKind<Gadget>({
  apiVersion: `${GROUP}/v1`,
  kind: "Gadget",
  plural: "gadgets",
  scope: "Namespaced",
});

/** What Gadgets use. */
export interface Setting extends KubernetesObject<"sim.example.com/v1", "Setting"> {
  readonly spec: { readonly value: number };
}
export const Setting = defineKind<Setting>({
  apiVersion: `${GROUP}/v1`,
  kind: "Setting",
  plural: "settings",
  scope: "Namespaced",
});

/** What asks to be looked at again and again. */
export interface Ticker extends KubernetesObject<"sim.example.com/v1", "Ticker"> {
  readonly spec: { readonly seconds: number };
}
export const Ticker = defineKind<Ticker>({
  apiVersion: `${GROUP}/v1`,
  kind: "Ticker",
  plural: "tickers",
  scope: "Namespaced",
});

const integer = { type: "integer" };
const text = { type: "string" };

const conditions = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["type"],
  items: {
    type: "object",
    required: ["type", "status"],
    properties: {
      type: text,
      status: text,
      reason: text,
      message: text,
      lastTransitionTime: { type: "string", format: "date-time" },
      observedGeneration: integer,
    },
  },
};

/** The CustomResourceDefinitions of these kinds. */
export const DEFINITIONS = [
  definition(Gadget, {
    spec: { size: integer, setting: text, broken: { type: "boolean" } },
    status: { size: integer, conditions, observedGeneration: integer },
  }),
  definition(Setting, { spec: { value: integer } }),
  definition(Ticker, { spec: { seconds: integer } }),
];

type Properties = Readonly<Record<string, object>>;

function definition(
  { kind, plural }: { readonly kind: string; readonly plural: string },
  { spec, status }: { readonly spec: Properties; readonly status?: Properties },
) {
  const properties = {
    spec: { type: "object", properties: spec },
    ...(status && { status: { type: "object", properties: status } }),
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties } },
          ...(status && { subresources: { status: {} } }),
        },
      ],
    },
  };
}
