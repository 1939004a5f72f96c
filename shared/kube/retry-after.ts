/**
 * Seconds that an answer asks to wait, from its Retry-After header: a number, or an HTTP date, which
 * counts from the server's own Date header, so that no two clocks are compared. Undefined without
 * the header or where it cannot be read. Never negative.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function retryAfterSecondsOf(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers["retry-after"]?.trim();
  if (text === undefined || text === "") return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const waitMs = Date.parse(text) - Date.parse(headers.date ?? "");
  return Number.isNaN(waitMs) ? undefined : Math.max(0, Math.ceil(waitMs / 1000));
}
