/** Texts that are remembered as told. */
const TEXTS_LIMIT = 1_000;

/**
 * The texts in an answer's Warning header, as the API server sends them for deprecated versions and
 * unknown fields: `299 - "text"`, several of them joined by commas.
 * https://kubernetes.io/blog/2020/09/03/warnings/
 */
function warningsOf(header: string | undefined): readonly string[] {
  const matches = (header ?? "").matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/g);
  return Array.from(matches, (match) => (match[1] ?? "").replace(/\\(.)/g, "$1"));
}

/** Tells each text of the server's Warning headers once. */
export function onceEach(tell: (text: string) => void): (header: string | undefined) => void {
  const told = new Set<string>();
  return (header) => {
    for (const text of warningsOf(header)) {
      if (told.has(text)) continue;
      if (told.size >= TEXTS_LIMIT) told.clear();
      told.add(text);
      tell(text);
    }
  };
}
