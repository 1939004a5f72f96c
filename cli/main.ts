import { dev } from "../local/dev.ts";
import { DEV_HELP, devOptionsOf } from "../local/dev-options.ts";
import { reportFailure } from "./report-failure.ts";

const HELP = `Usage: tidegate COMMAND [OPTIONS]

Commands:
  dev    runs watcher, queue, table and functions on this machine against a cluster

"tidegate COMMAND --help" says more about a command.
`;

const [command, ...args] = process.argv.slice(2);

try {
  if (command === "dev") {
    const options = devOptionsOf(args);
    if (options === "help") process.stdout.write(DEV_HELP);
    // Not by the exit code alone: a start that was broken off may still wait for something.
    else process.exit(await dev(options));
  } else if (command === undefined || command === "help" || command === "--help") {
    process.stdout.write(HELP);
  } else {
    throw new Error(`cannot run "${command}": expected dev; see tidegate --help`);
  }
} catch (error) {
  reportFailure(error, (line) => process.stderr.write(`${line}\n`));
  process.exit(1);
}
