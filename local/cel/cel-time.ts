import type { CelLibrary } from "./cel-library.ts";
import { CelError, Duration, Timestamp } from "./cel-value.ts";

const SECOND = 10n ** 9n;

/** Reads "2006-01-02T15:04:05.999Z"; undefined for what is none. */
export function timestampOf(text: string): Timestamp | undefined {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})$/.exec(text);
  const milliseconds = match ? timeOf(match.slice(1, 7), match[8] ?? "Z") : undefined;
  if (!match || milliseconds === undefined) return undefined;
  const fraction = BigInt((match[7] ?? "").slice(0, 9).padEnd(9, "0"));
  return new Timestamp(BigInt(milliseconds) * 1_000_000n + fraction);
}

/** Undefined for a day or hour that no calendar has. */
function timeOf(parts: readonly string[], zone: string): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const same =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCHours() === hour;
  if (!same || minute > 59 || second > 59) return undefined;
  return date.getTime() - offsetMs(zone);
}

/** Of "Z" or "+02:00". */
function offsetMs(zone: string): number {
  const match = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone);
  if (!match) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === "-" ? -minutes : minutes) * 60_000;
}

export function timestampText({ nanos }: Timestamp): string {
  const rest = ((nanos % SECOND) + SECOND) % SECOND;
  const whole = new Date(Number((nanos - rest) / 1_000_000n)).toISOString().slice(0, 19);
  const fraction = rest === 0n ? "" : `.${String(rest).padStart(9, "0").replace(/0+$/, "")}`;
  return `${whole}${fraction}Z`;
}

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: 3600n * SECOND,
};

/** Reads "1h30m" or "-1.5s", as Go's time.ParseDuration; undefined for what is none. */
export function durationOf(text: string): Duration | undefined {
  const match = /^([+-]?)(?:0|((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+))$/.exec(text);
  if (!match) return undefined;
  const parts = (match[2] ?? "").matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g);
  let nanos = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of parts) {
    const size = UNITS[unit] ?? 0n;
    nanos += BigInt(whole || "0") * size;
    nanos += (BigInt(fraction || "0") * size) / 10n ** BigInt(fraction.length);
  }
  return new Duration(match[1] === "-" ? -nanos : nanos);
}

/** In seconds: "5400s". */
export function durationText({ nanos }: Duration): string {
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = String(size % SECOND)
    .padStart(9, "0")
    .replace(/0+$/, "");
  return `${nanos < 0n ? "-" : ""}${size / SECOND}${fraction && `.${fraction}`}s`;
}

type Part = (date: Date) => number;

/** Getters of parts of an instant, in UTC or a zone that is named ("Europe/Berlin", "+02:00"). */
function getter(part: Part): CelLibrary[string] {
  return {
    "timestamp.() int": (at: Timestamp) => BigInt(part(dateOf(at, "UTC"))),
    "timestamp.(string) int": (at: Timestamp, zone: string) => BigInt(part(dateOf(at, zone))),
  };
}

/** Also of a duration, as a whole number of the unit. */
function unit(part: Part, unitNanos: bigint): CelLibrary[string] {
  return { ...getter(part), "duration.() int": ({ nanos }: Duration) => nanos / unitNanos };
}

/** The instant as if the zone's clock were UTC. */
function dateOf({ nanos }: Timestamp, zone: string): Date {
  const milliseconds = Number(
    (nanos - (((nanos % 1_000_000n) + 1_000_000n) % 1_000_000n)) / 1_000_000n,
  );
  return new Date(milliseconds + zoneMs(milliseconds, zone));
}

function zoneMs(atMs: number, zone: string): number {
  if (zone === "UTC" || zone === "" || zone === "Z") return 0;
  if (/^[+-]?\d{2}:\d{2}$/.test(zone)) return offsetMs(zone);
  try {
    const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
    const shown = format.formatToParts(atMs).find(({ type }) => type === "timeZoneName");
    return offsetMs(shown?.value.replace("GMT", "") || "Z");
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}

const DAY_MS = 86_400_000;

export const TIMES: CelLibrary = {
  getFullYear: getter((date) => date.getUTCFullYear()),
  getMonth: getter((date) => date.getUTCMonth()),
  getDate: getter((date) => date.getUTCDate()),
  getDayOfMonth: getter((date) => date.getUTCDate() - 1),
  getDayOfWeek: getter((date) => date.getUTCDay()),
  getDayOfYear: getter((date) =>
    Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS),
  ),
  getHours: unit((date) => date.getUTCHours(), 3600n * SECOND),
  getMinutes: unit((date) => date.getUTCMinutes(), 60n * SECOND),
  getSeconds: unit((date) => date.getUTCSeconds(), SECOND),
  getMilliseconds: unit((date) => date.getUTCMilliseconds(), 1_000_000n),
};
