import {
  ConfigMap,
  defineController,
  defineKind,
  type KubernetesObject,
  type Reconciler,
} from "tidegate";
import { type Environment, startEnvironment } from "tidegate/testing";

/** A custom resource of which no definition is given. */
export interface Poke extends KubernetesObject<"test.example.com/v1", "Poke"> {
  readonly spec: { readonly text: string };
  readonly status?: { readonly text?: string };
}
export const Poke = defineKind<Poke>({
  apiVersion: "test.example.com/v1",
  kind: "Poke",
  plural: "pokes",
  scope: "Namespaced",
});

export const pokeController = defineController({
  name: "poke",
  for: Poke,
  owns: [ConfigMap],
  timeoutSeconds: 10,
});

export type PokeReconciler = Reconciler<typeof pokeController>;

/** Copies the text into a ConfigMap. */
export const copying: PokeReconciler = {
  async reconcile(poke, { apply }) {
    const { name } = poke.metadata;
    await apply(ConfigMap, { metadata: { name }, data: { text: poke.spec.text } });
    return { status: { text: poke.spec.text } };
  },
};

/** An environment that is stopped when the test is over. */
export async function withPokes(
  reconciler: PokeReconciler,
  run: (env: Environment) => Promise<void>,
  options: { readonly idempotent?: boolean; readonly maxRuns?: number } = {},
): Promise<void> {
  const env = await startEnvironment({ controllers: [[pokeController, reconciler]], ...options });
  try {
    await run(env);
  } finally {
    await env.stop();
  }
}

/** Applies the Poke "web" and lets all happen. */
export async function poke(env: Environment, text = "hello"): Promise<Poke> {
  const applied = await env.apply(Poke, { metadata: { name: "web" }, spec: { text } });
  await env.settled();
  return applied;
}
