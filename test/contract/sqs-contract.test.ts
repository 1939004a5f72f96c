import { startSqsServer } from "../../local/sqs-server.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { quietLog, sequentialIds } from "../local/sqs-fixtures.ts";
import { sqsContract } from "./sqs-contract.ts";
import { testClient } from "./sqs-test-queue.ts";

sqsContract("the SQS server of local mode", async () => {
  const clock = new VirtualClock();
  const server = await startSqsServer({ clock, newId: sequentialIds(), log: quietLog });
  const client = testClient(server.url);
  return {
    client,
    advance: (ms) => clock.advance(ms),
    close: async () => {
      client.destroy();
      await server.close();
    },
  };
});
