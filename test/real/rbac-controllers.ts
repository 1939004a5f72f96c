// Controllers that use, each run, all that their definitions allow.

import {
  type Condition,
  ConfigMap,
  Deployment,
  defineController,
  defineKind,
  type KubernetesObject,
  Namespace,
  type Reconciler,
  Secret,
  ServiceAccount,
  TerminalError,
  use,
  useSubresource,
  watch,
} from "tidegate";

export interface Task extends KubernetesObject<"web.example.com/v1", "Task"> {
  readonly spec: { readonly turn: number };
  readonly status?: {
    readonly replicas?: number;
    readonly observedGeneration?: number;
    readonly conditions?: readonly Condition[];
  };
}
export const Task = defineKind<Task>({
  apiVersion: "web.example.com/v1",
  kind: "Task",
  plural: "tasks",
  scope: "Namespaced",
});

const event = { type: "Normal", reason: "Done", message: "done" } as const;

/** Roles in one namespace; every verb, and subresources. */
export const keeperController = defineController({
  name: "keeper",
  for: Task,
  namespaces: ["a"],
  labels: "keeper",
  owns: [ServiceAccount],
  applies: [Namespace],
  watches: [watch(Secret, { keys: () => [], fields: { "metadata.name": "token" } })],
  uses: [
    use(ConfigMap, "get", "list", "create", "update", "patch", "delete"),
    // For adopt, where the server guards owner references.
    use(ServiceAccount, "delete"),
    useSubresource(Deployment, "scale", "get", "update", "patch"),
    useSubresource(ServiceAccount, "token", "create"),
    useSubresource(Task, "status", "get"),
  ],
  formerFinalizers: ["web.example.com/old"],
});

export const keeperReconciler: Reconciler<typeof keeperController> = {
  async reconcile({ metadata, spec }, { apply, client, recordEvent }) {
    const turn = String(spec.turn);
    const labels = { turn };
    await apply(ServiceAccount, { metadata: { name: "robot", labels } }, { adopt: true });
    await apply(ServiceAccount, { metadata: { name: "made", labels } });
    await apply(Namespace, { metadata: { name: "made", labels } }, { owner: false });
    if (!(await client.get(Secret, "token")))
      throw new Error("expected the Secret token, got none");

    const made = await client.create(ConfigMap, { metadata: { name: `turn-${turn}` } });
    await client.update(ConfigMap, { ...made, data: { turn } });
    await client.patch(ConfigMap, made.metadata.name, { type: "merge", patch: { data: {} } });
    await client.get(ConfigMap, made.metadata.name);
    for (const each of await client.list(ConfigMap))
      await client.delete(ConfigMap, each.metadata.name);

    const scales = client.subresource(Deployment, "scale");
    const scale = await scales.get("web");
    if (scale) await scales.update({ ...scale, spec: { replicas: 1 } });
    await scales.patch("web", { type: "merge", patch: { spec: { replicas: 2 } } });
    const token = { spec: { audiences: ["https://kubernetes.default.svc"] } };
    await client.subresource(ServiceAccount, "token").create("robot", token);
    await client.subresource(Task, "status").get(metadata.name);

    await client.delete(ServiceAccount, `none-${turn}`);
    await recordEvent(event);
    return { status: { replicas: spec.turn } };
  },
};

/** A built-in, cluster-scoped kind, whose status is declared, and which owns. */
export const tenantController = defineController({
  name: "tenant",
  for: Namespace,
  labels: "tenant",
  owns: [ConfigMap],
  finalizer: "web.example.com/tenant",
  uses: [useSubresource(Namespace, "status", "patch")],
});

export const tenantReconciler: Reconciler<typeof tenantController> = {
  async reconcile({ metadata }, { apply, recordEvent }) {
    const { name, labels = {} } = metadata;
    await apply(ConfigMap, {
      metadata: { name: "tenant", namespace: name },
      data: { turn: labels.tenant ?? "" },
    });
    await recordEvent(event);
    const condition = { type: "Tenant", status: "True", reason: "Made", message: "" } as const;
    return { status: { conditions: [condition] } };
  },
  async finalize() {},
};

/** Nothing but a kind: what a failed run writes is all that it needs. */
export const plainController = defineController({ name: "plain", for: Task, labels: "plain" });

export const plainReconciler: Reconciler<typeof plainController> = {
  async reconcile() {
    throw new TerminalError("not to be done");
  },
};

/** One object by its name. */
export const singleController = defineController({
  name: "single",
  for: Task,
  fields: { "metadata.name": "single" },
  finalizer: "web.example.com/single",
});

export const singleReconciler: Reconciler<typeof singleController> = {
  async reconcile({ spec }, { recordEvent }) {
    await recordEvent(event);
    return { status: { replicas: spec.turn } };
  },
  async finalize() {},
};
