/**
 * A text of others, such as the error of a reconciler, as one line that leaves a terminal as it is:
 * control characters become spaces.
 */
export function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, " ").trim();
}
