/**
 * What is wrong with the schedule of a CronJob, in the words of robfig/cron, which the API server
 * uses; empty where nothing is. Steps and names of months and days are read, too.
 */
export function scheduleFault(schedule: string): readonly string[] {
  if (schedule.includes("TZ")) {
    return ["cannot use TZ or CRON_TZ in schedule, use timeZone field instead"];
  }
  if (schedule.startsWith("@")) {
    if (DESCRIPTORS.test(schedule)) return [];
    return [`unrecognized descriptor: ${schedule}`];
  }
  const fields = schedule.split(/\s+/).filter((field) => field !== "");
  if (fields.length !== 5) {
    return [`expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`];
  }
  for (const [index, field] of fields.entries()) {
    for (const part of field.split(",")) {
      const fault = rangeFault(part, BOUNDS[index] ?? { min: 0, max: 0 });
      if (fault !== undefined) return [fault];
    }
  }
  return [];
}

const DESCRIPTORS = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every \S+)$/;

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const BOUNDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  {
    min: 1,
    max: 12,
    names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  },
  { min: 0, max: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

function rangeFault(part: string, bounds: Bounds): string | undefined {
  const [range = "", step, more] = part.split("/");
  if (more !== undefined) return `too many slashes: ${part}`;
  const [low = "", high = low, third] = range.split("-");
  if (third !== undefined) return `too many hyphens: ${part}`;
  if (step !== undefined && !/^\d+$/.test(step)) return unreadable(step);
  if (step !== undefined && Number(step) === 0) {
    return `step of range should be a positive number: ${part}`;
  }
  if (low === "*" || low === "?") return undefined;
  const [start, end] = [low, high].map((text) => numberOf(text, bounds));
  if (start === undefined || Number.isNaN(start)) return unreadable(low);
  if (end === undefined || Number.isNaN(end)) return unreadable(high);
  if (start < bounds.min) {
    return `beginning of range (${start}) below minimum (${bounds.min}): ${part}`;
  }
  if (end > bounds.max) return `end of range (${end}) above maximum (${bounds.max}): ${part}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${part}`;
  return undefined;
}

function numberOf(text: string, { min, names = [] }: Bounds): number {
  const index = names.indexOf(text.toLowerCase());
  if (index >= 0) return index + min;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

function unreadable(text: string): string {
  const why = `strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  return `failed to parse int from ${text}: ${why}`;
}
