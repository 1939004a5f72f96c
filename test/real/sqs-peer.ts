import { systemClock } from "../../shared/clock.ts";
import type { SqsPeer } from "../contract/sqs-contract.ts";
import { testClient } from "../contract/sqs-test-queue.ts";
import type { AwsServer } from "./aws-server.ts";

/** A server as the contract of SQS takes it; its time is that of this machine. */
export async function sqsPeer(starting: Promise<AwsServer>): Promise<SqsPeer> {
  const server = await starting;
  const client = testClient(server.url);
  return {
    client,
    advance: (ms) => systemClock.sleep(ms),
    close: async () => {
      client.destroy();
      await server.stop();
    },
  };
}
