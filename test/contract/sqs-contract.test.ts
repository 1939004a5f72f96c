import { SQSClient } from "@aws-sdk/client-sqs";
import { startSqsServer } from "../../local/sqs-server.ts";
import { VirtualClock } from "../../shared/testing/virtual-clock.ts";
import { quietLog, sequentialIds } from "../local/sqs-fixtures.ts";
import { sqsContract } from "./sqs-contract.ts";

sqsContract("the SQS server of local mode", async () => {
  const clock = new VirtualClock();
  const server = await startSqsServer({ clock, newId: sequentialIds(), log: quietLog });
  const client = new SQSClient({
    endpoint: server.url,
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    maxAttempts: 1,
  });
  return {
    client,
    advance: (ms) => clock.advance(ms),
    close: async () => {
      client.destroy();
      await server.close();
    },
  };
});
