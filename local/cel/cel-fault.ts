/** What is wrong with an expression before it is evaluated. */
export interface CelFault {
  /** An index into the expression's text. */
  readonly at: number;
  readonly message: string;
}

/** The faults as cel-go prints them: each with its line of the expression, and a mark below. */
export function faultsText(source: string, faults: readonly CelFault[]): string {
  return [...faults]
    .sort((a, b) => a.at - b.at)
    .map((fault) => faultText(source, fault))
    .join("\n");
}

function faultText(source: string, { at, message }: CelFault): string {
  const before = source.slice(0, at).split("\n");
  const row = before.length;
  const prefix = Array.from(before.at(-1) ?? "");
  const line = (source.split("\n")[row - 1] ?? "").replaceAll("\t", " ");
  const dots = prefix.map((character) => (character > "\u007f" ? "\uff0e" : ".")).join("");
  const marked = Array.from(line)[prefix.length] ?? "";
  const mark = marked > "\u007f" ? "\uff3e" : "^";
  return `ERROR: <input>:${row}:${prefix.length + 1}: ${message}\n | ${line}\n | ${dots}${mark}`;
}
