import { type AwsServer, startAwsServer } from "./aws-server.ts";
import { freePorts } from "./dev-process.ts";
import { installPythonPackage } from "./python-package.ts";

export const MINISTACK = { name: "ministack", version: "1.5.33" };

/**
 * Starts MiniStack (https://github.com/ministackorg/ministack) with SQS and DynamoDB, with empty
 * state in memory on a free port. The first start on a machine installs it.
 */
export async function startMiniStack(): Promise<AwsServer> {
  const command = await installPythonPackage(MINISTACK);
  const port = await freePorts(); // It has to know its port before, to name it in queue URLs.
  return startAwsServer({
    name: MINISTACK.name,
    command,
    args: ["-u", "-m", "hypercorn", "ministack.app:app", "--bind", `127.0.0.1:${port}`],
    env: { MINISTACK_HOST: "127.0.0.1", GATEWAY_PORT: String(port), SERVICES: "sqs,dynamodb" },
  });
}
