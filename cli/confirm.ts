import type { CommandContext } from "./command-context.ts";
import { UsageError } from "./usage-error.ts";

/** Asks before what cannot be taken back. Rejects where nobody can be asked, and where the answer is no. */
export async function confirm(
  { confirm: ask }: Pick<CommandContext, "confirm">,
  {
    action,
    question,
    yes = false,
  }: {
    /** What is asked about, as in "cannot uninstall". */
    readonly action: string;
    readonly question: string;
    readonly yes?: boolean | undefined;
  },
): Promise<void> {
  if (yes) return;
  if (!ask)
    throw new UsageError(
      `cannot ${action}: expected --yes where no terminal can be asked: ${question}`,
    );
  if (!(await ask(question)))
    throw new Error(`cannot ${action}: expected yes, got no; nothing was done`);
}
