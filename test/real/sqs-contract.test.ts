import { SQSClient } from "@aws-sdk/client-sqs";
import { systemClock } from "../../shared/clock.ts";
import { sqsContract } from "../contract/sqs-contract.ts";
import { MOTO_START_LIMIT_MS, startMoto } from "./moto.ts";
import { MOTO_DIFFERENCES } from "./moto-differences.ts";

sqsContract(
  "moto's server",
  async () => {
    const moto = await startMoto();
    const client = new SQSClient({
      endpoint: moto.url,
      region: "us-east-1",
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
      maxAttempts: 1,
    });
    return {
      client,
      advance: (ms) => systemClock.sleep(ms),
      close: async () => {
        client.destroy();
        await moto.stop();
      },
    };
  },
  { differences: MOTO_DIFFERENCES, limitMs: 10_000, startLimitMs: MOTO_START_LIMIT_MS },
);
