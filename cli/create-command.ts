import { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { createApiCommand } from "./create-api-command.ts";
import { createControllerCommand } from "./create-controller-command.ts";

const EXAMPLES = `
Examples:
  tidegate create api --group webapp --version v1 --kind Guestbook
  tidegate create controller --kind Deployment
`;

/** `tidegate create`: `api` and `controller`. */
export function createCommand(context: CommandContext): Command {
  return new Command("create")
    .summary("makes a kind with its controller, or a controller for a kind that there is")
    .description("Makes files in the project of this folder.")
    .addCommand(createApiCommand(context))
    .addCommand(createControllerCommand(context))
    .addHelpText("after", EXAMPLES);
}
