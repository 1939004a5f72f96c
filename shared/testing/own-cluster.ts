import type { Logger } from "../api/log.ts";
import { kubeconfigAccess } from "../kube/kubeconfig-access.ts";
import { createTransport } from "../kube/transport.ts";
import type { Transport } from "../kube/wire.ts";
import { clusterWork } from "./cluster-work.ts";
import { CreatedObjects } from "./created-objects.ts";
import { LeftObjects } from "./left-objects.ts";
import { realClock } from "./test-clock.ts";
import type { TestCluster } from "./test-cluster.ts";

/**
 * A cluster that is there already: the one that a kubeconfig names. What an earlier test that was
 * killed left in it is deleted. Rejects with one line where it cannot be reached, or where another
 * test runs against it.
 */
export async function connectCluster(file: string, log: Logger): Promise<TestCluster> {
  const access = await kubeconfigAccess({ file }).catch((cause: unknown) => {
    throw unusable(file, cause);
  });
  const direct = createTransport(access, { clock: realClock, log });
  try {
    await requireAnswer(file, direct);
    const left = await LeftObjects.of(access.server);
    await requireAlone(left, access.server);
    return await emptied(direct, left);
  } catch (error) {
    direct.close();
    throw error;
  }
}

async function emptied(direct: Transport, left: LeftObjects): Promise<TestCluster> {
  const created = new CreatedObjects((path) => left.note(path));
  const empty = async () => {
    await created.remove(direct, realClock);
    await left.forget();
  };
  const cluster: TestCluster = {
    transport: created.over(direct),
    ours: false,
    work: () => clusterWork(direct, created.paths),
    empty,
    stop: async () => {
      direct.close();
      await left.unlock();
    },
  };
  try {
    for (const path of await left.read()) created.add(path);
    await empty();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function requireAnswer(file: string, transport: Transport): Promise<void> {
  const path = "/api/v1/namespaces/default";
  const answer = transport.request({ method: "GET", path, timeoutMs: 10_000 });
  const { status, body } = await answer.catch((cause: unknown) => {
    throw unusable(file, cause);
  });
  if (status === 200) return;
  const { message = "" } = body as { readonly message?: string };
  throw unusable(file, new Error(`GET ${path} answered ${status} ${message}`.trimEnd()));
}

function unusable(file: string, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    `cannot test against the cluster of TIDEGATE_KUBECONFIG=${file}: ${why}; or unset it, and the cluster is in memory`,
    { cause },
  );
}

/** Controllers see all objects of their kinds, those of another test, too. */
async function requireAlone(left: LeftObjects, server: string): Promise<void> {
  // Loaded here: tests in memory need none of it.
  const { tryLock } = await import("../../local/kube-apiserver/lock-file.ts");
  if (await tryLock(left.lockPath)) return;
  throw new Error(
    `cannot test against ${server}: expected no other environment on it, got one that is not stopped (${left.lockPath}); run one test file at a time (jest --runInBand), and await stop() of each environment`,
  );
}
