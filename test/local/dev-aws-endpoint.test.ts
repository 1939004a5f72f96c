import { tmpdir } from "node:os";
import { expect, test } from "@jest/globals";
import { startDevAws } from "../../local/dev-aws.ts";
import { systemClock } from "../../shared/clock.ts";
import { freePorts } from "../real/dev-process.ts";
import { quietLog } from "./sqs-fixtures.ts";

test("fails in one line where nothing serves the endpoint that was given", async () => {
  const awsEndpoint = `http://127.0.0.1:${await freePorts()}`;
  const context = { clock: systemClock, log: quietLog };
  await expect(startDevAws({ dataDir: tmpdir(), port: 1, awsEndpoint }, context)).rejects.toThrow(
    /^cannot use --aws-endpoint http:.*: expected a server of SQS and DynamoDB, got ".+"; start one/,
  );
});
