/** How long ago a time was, as kubectl shows ages. "<unknown>" where there is none. */
export function ageOf(timestamp: unknown, nowMs: number): string {
  if (timestamp === undefined || timestamp === null || timestamp === "") return "<unknown>";
  const atMs = timeMs(timestamp);
  return atMs === undefined ? "<invalid>" : humanDuration(nowMs - atMs);
}

/** Milliseconds since 1970 of an RFC 3339 time; undefined where it is none. */
export function timeMs(timestamp: unknown): number | undefined {
  if (typeof timestamp !== "string" || !RFC3339.test(timestamp)) return undefined;
  const ms = Date.parse(timestamp);
  return Number.isNaN(ms) ? undefined : ms;
}

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** A duration with two or three figures: "45s", "5m12s", "3h5m", "2d", "1y20d". */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1_000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return `${minutes}m${rest(seconds % 60, "s")}`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return `${hours}h${rest(minutes % 60, "m")}`;
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 24 * 8) return `${days}d${rest(hours % 24, "h")}`;
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return hours < 24 * 365 * 8 ? `${years}y${rest(days % 365, "d")}` : `${years}y`;
}

function rest(count: number, unit: string): string {
  return count === 0 ? "" : `${count}${unit}`;
}
