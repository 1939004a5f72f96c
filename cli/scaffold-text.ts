/**
 * A text as it goes into a file: what all lines of the literal are indented by goes, and so does the
 * line break it begins with. Values are put in as they are.
 */
export function text(literal: TemplateStringsArray, ...values: readonly string[]): string {
  const indents = literal.flatMap(
    (part, index) =>
      // What follows a value goes on in its line, and is no beginning of one.
      (index === 0 ? part : part.replace(/^.*/, "")).match(/(?<=\n)[ ]*(?=[^ \n])/g) ?? [],
  );
  const indent = indents.length === 0 ? 0 : Math.min(...indents.map(({ length }) => length));
  const margin = new RegExp(`\\n {1,${Math.max(indent, 1)}}`, "g");
  const parts = literal.map((part) => (indent === 0 ? part : part.replaceAll(margin, "\n")));
  return String.raw({ raw: parts }, ...values)
    .replace(/^\n/, "")
    .replace(/\n *$/, "\n");
}
