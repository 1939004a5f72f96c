import type { DevAccount } from "../local/dev-account.ts";
import { createDynamoLeaseStore } from "../shared/lease/dynamo-lease-store.ts";
import { createDynamoClient } from "../shared/queue/dynamo-client.ts";
import { tableExists } from "../shared/queue/dynamo-table.ts";
import type { CommandContext } from "./command-context.ts";
import { lookAtLease } from "./operate-lease.ts";

/**
 * Rejects while another watcher leads under the name: its functions would share our queues, and each
 * side would take the other's code for a deploy. Takes some seconds after one that was killed.
 */
export async function requireNoLeader(
  { table: tableName, region }: DevAccount,
  cluster: string,
  { clock, stopping }: Pick<CommandContext, "clock" | "stopping">,
): Promise<void> {
  const client = createDynamoClient(region === undefined ? {} : { region });
  try {
    if (!(await tableExists(client, tableName).catch(() => false))) return; // What is wrong with it, the start tells.
    const leases = createDynamoLeaseStore({ client, tableName, cluster });
    const { state, holder } = await lookAtLease(leases, clock, stopping);
    if (state !== "held") return;
    throw new Error(
      `cannot run under the name ${cluster}: expected nobody to lead in table ${tableName}, got ${holder}; stop that one, or choose another name with --cluster`,
    );
  } finally {
    client.destroy();
  }
}
