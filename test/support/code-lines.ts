/**
 * The lines of a text in TypeScript or Go that hold code: those that are not blank once comments
 * are taken out. A brace of its own is a line, an import is one, a text over several lines counts
 * each. Rough about regular expressions that hold quotes.
 */
export function codeLines(text: string): number {
  const partOfText = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`[^`]*`|\/\/.*|\/\*[\s\S]*?\*\//g;
  const bare = text.replaceAll(partOfText, (part) =>
    /^\/[/*]/.test(part) ? part.replaceAll(/[^\n]/g, "") : part,
  );
  return bare.split("\n").filter((line) => line.trim() !== "").length;
}
