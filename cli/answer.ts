import { Option } from "commander";
import type { CommandContext } from "./command-context.ts";

/** How a command answers: text for people, or one JSON document for programs. */
export type OutputFormat = "text" | "json";

/** The option `--output`, which every command has that answers something. */
export function outputOption(): Option {
  return new Option("-o, --output <FORMAT>", "how to answer")
    .choices(["text", "json"])
    .default("text");
}

/** The same without its letter, where `-o` names the folder to write. */
export function outputFormatOption(): Option {
  return new Option("--output <FORMAT>", "how to answer").choices(["text", "json"]).default("text");
}

/** Writes the answer: `value` for programs, `text` for people. */
export function answer(
  { out }: CommandContext,
  format: OutputFormat,
  { value, text }: { readonly value: unknown; readonly text: string },
): void {
  out.write(format === "json" ? `${JSON.stringify(value, null, 2)}\n` : endedLine(text));
}

function endedLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
