import { type AwsServer, startAwsServer } from "./aws-server.ts";
import { installPythonPackage } from "./python-package.ts";

export const MOTO = { name: "moto", version: "5.2.5", extras: "[server]" };

/**
 * How long a step of the spine's scenario may take with moto. Its long poll does not see that a group
 * becomes free: a change that arrives during a run is taken up when the poll ends, 20 s later. And it
 * hands messages to a poll whose client was killed, as AWS may; their group is then locked for the
 * visibility timeout, six times the function's 30 s.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/avoiding-inconsistent-message-processing.html
 */
export const MOTO_WAIT_SECONDS = 240;

const THREADED = ["-m", "moto.server"];
const UNTHREADED = [
  "-c",
  "import moto.server as m; serve = m.run_simple; " +
    "m.run_simple = lambda *a, **k: serve(*a, **{**k, 'threaded': False}); m.main()",
];

export interface MotoOptions {
  /**
   * Whether requests run at once, as long polls need; default true. Moto's DynamoDB checks a condition
   * and writes without a lock between, so that two conditional writes at once may both succeed.
   */
  readonly threaded?: boolean;
}

/**
 * Starts moto's server (https://docs.getmoto.org/) with SQS and DynamoDB, with empty state in memory
 * on a free port. The first start on a machine installs it.
 */
export async function startMoto({ threaded = true }: MotoOptions = {}): Promise<AwsServer> {
  const command = await installPythonPackage(MOTO);
  const program = threaded ? THREADED : UNTHREADED;
  return startAwsServer({
    name: MOTO.name,
    command,
    args: ["-u", ...program, "-H", "127.0.0.1", "-p", "0"],
  });
}
