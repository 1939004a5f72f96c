/** The text, cut to so many bytes of UTF-8 and never inside a character; "..." shows a cut. */
export function boundedText(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let end = 0;
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes - CUT.length) break;
    end += character.length;
  }
  return text.slice(0, end) + CUT;
}

const CUT = "...";
