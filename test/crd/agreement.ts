import { expect } from "@jest/globals";
import { defineKind, type Kind } from "tidegate";
import { type CustomResourceDefinition, defineCrd } from "tidegate/crd";
import * as z from "zod";
import type { Transport } from "../../shared/kube/wire.ts";
import { converted } from "./convert.ts";
import { type Difference, REFUSED } from "./differences.ts";

/** A kind of which each field `it` of a field of the spec has one of the schemas. */
export interface SampleKind {
  readonly kind: Kind;
  readonly schemas: readonly z.ZodType[];
}

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Installs a kind with these schemas. */
export async function installSamples(
  transport: Transport,
  name: string,
  schemas: readonly z.ZodType[],
  pause: () => Promise<void>,
): Promise<SampleKind> {
  const kind = defineKind({
    apiVersion: "sample.example.com/v1",
    kind: name,
    plural: `${name.toLowerCase()}s`,
    scope: "Namespaced",
  });
  const fields = schemas.map((it, index) => [`f${index}`, z.object({ it }).optional()] as const);
  const crd = defineCrd(kind, { spec: () => z.object(Object.fromEntries(fields)) });
  await installDefinition(transport, crd, pause);
  return { kind, schemas };
}

/** Installs a definition. Fails when the server does not take it as it is. */
export async function installDefinition(
  transport: Transport,
  crd: CustomResourceDefinition,
  pause: () => Promise<void>,
): Promise<void> {
  const made = await transport.request({ method: "POST", path: DEFINITIONS, body: crd });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const { group, names, versions } = crd.spec;
  const path = `/apis/${group}/${versions[0]?.name}/${names.plural}`;
  for (let tries = 0; tries < 100; tries += 1) {
    const { status } = await transport.request({ method: "GET", path });
    const conditions = await trueConditions(transport, crd.metadata.name);
    // A schema that is not structural is a third one.
    if (status === 200 && conditions === "Established,NamesAccepted") return;
    await pause();
  }
  throw new Error(`${crd.metadata.name} has ${await trueConditions(transport, crd.metadata.name)}`);
}

async function trueConditions(transport: Transport, name: string): Promise<string> {
  const { body } = await transport.request({ method: "GET", path: `${DEFINITIONS}/${name}` });
  const { status } = body as {
    status?: { conditions?: readonly { type: string; status: string }[] };
  };
  const conditions = (status?.conditions ?? []).filter((each) => each.status === "True");
  return conditions
    .map(({ type }) => type)
    .toSorted()
    .join();
}

/** What somebody makes of a value: refused, or as it is stored. */
export interface Verdict {
  readonly taken: boolean;
  readonly value?: unknown;
}

/** The API server's verdict. `undefined` leaves the field out. */
export async function serverVerdict(
  transport: Transport,
  { kind }: SampleKind,
  index: number,
  value: unknown,
): Promise<Verdict> {
  const { apiVersion, plural } = kind;
  const { status, body } = await transport.request({
    method: "POST",
    path: `/apis/${apiVersion}/namespaces/default/${plural}`,
    query: { dryRun: "All" },
    body: {
      apiVersion,
      kind: kind.kind,
      metadata: { name: "one" },
      spec: { [`f${index}`]: { it: value } },
    },
  });
  if (status === 422) return { taken: false };
  if (status !== 201) throw new Error(`got ${status}: ${JSON.stringify(body)}`);
  const { spec } = body as { spec: Record<string, { it?: unknown }> };
  return { taken: true, value: spec[`f${index}`]?.it };
}

export function zodVerdict(schema: z.ZodType, value: unknown): Verdict {
  const parsed = z.object({ it: schema }).safeParse(value === undefined ? {} : { it: value });
  return parsed.success ? { taken: true, value: parsed.data.it } : { taken: false };
}

/** A schema, and values that it is tried with; `undefined` leaves the field out. */
export interface Trial {
  readonly schema: z.ZodType;
  readonly values: readonly unknown[];
}

/** Counts what was taken and refused, in agreement. Fails at the first value on which they differ. */
export async function expectAgreement(
  transport: Transport,
  kind: SampleKind,
  trials: readonly Trial[],
): Promise<{ taken: number; refused: number }> {
  const counts = { taken: 0, refused: 0 };
  for (const [index, { schema, values }] of trials.entries()) {
    for (const value of [...values, undefined]) {
      const told = { value, as: converted(schema) };
      const verdict = await serverVerdict(transport, kind, index, value);
      expect({ ...told, verdict }).toEqual({ ...told, verdict: zodVerdict(schema, value) });
      counts[verdict.taken ? "taken" : "refused"] += 1;
    }
  }
  return counts;
}

/** Fails when a difference is not as it is listed, or is none. */
export async function expectDifferences(
  transport: Transport,
  differences: readonly Difference[],
  pause: () => Promise<void>,
): Promise<void> {
  const schemas = differences.map(({ schema }) => schema);
  const kind = await installSamples(transport, "Different", schemas, pause);
  for (const [index, { why, schema, value, zod, server }] of differences.entries()) {
    const found = {
      why,
      zod: told(zodVerdict(schema, value)),
      server: told(await serverVerdict(transport, kind, index, value)),
    };
    expect(found).toEqual({ why, zod, server });
    expect(found.zod).not.toEqual(found.server);
  }
}

function told({ taken, value }: Verdict): unknown {
  return taken ? value : REFUSED;
}
