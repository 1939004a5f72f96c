/** A time span for people: "250 ms", "25 s", "4 min", "3 h", "5 days". */
export function span(ms: number): string {
  const size = Math.abs(ms);
  if (size < 1_000) return `${Math.round(size)} ms`;
  const unit = UNITS.find(({ below }) => size < below) ?? DAYS;
  return `${Math.round(size / unit.ms)} ${unit.name}`;
}

/** A moment for people, as seen from `nowMs`: "25 s ago", "in 4 min". */
export function moment(atMs: number, nowMs: number): string {
  return atMs > nowMs ? `in ${span(atMs - nowMs)}` : `${span(nowMs - atMs)} ago`;
}

/** A moment for programs (RFC 3339); null where there is none. */
export function timestamp(atMs: number | undefined): string | null {
  return atMs === undefined ? null : new Date(atMs).toISOString();
}

const DAYS = { name: "days", ms: 86_400_000 };
const UNITS = [
  { name: "s", ms: 1_000, below: 120_000 },
  { name: "min", ms: 60_000, below: 2 * 3_600_000 },
  { name: "h", ms: 3_600_000, below: 2 * 86_400_000 },
];
