import { systemClock } from "../../../../shared/clock.ts";
import type { PeerStream } from "./peer.ts";
import { type Note, shownHeaders } from "./transcript.ts";

/** A line of a watch. */
export interface WatchEvent {
  readonly type: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** A watch that runs. What is taken from it stands in the transcript, in one exchange each time. */
export interface Watch {
  readonly status: number;
  /** The next `count` events. */
  readonly take: (count: number) => Promise<readonly WatchEvent[]>;
  /** All events up to the first that is so. */
  readonly until: (last: (event: WatchEvent) => boolean) => Promise<readonly WatchEvent[]>;
  /** All events up to the server's end of the stream. */
  readonly rest: () => Promise<readonly WatchEvent[]>;
  readonly close: () => void;
}

/** Of real time; an answer comes in milliseconds, so this is met only where an event is missing. */
const PATIENCE_MS = 15_000;

export function openWatch(stream: PeerStream, path: string, note: Note): Watch {
  const { status, headers } = stream;
  const events = parsedLines(stream.lines);
  const read = async (last: (event: WatchEvent, count: number) => boolean, ends = false) => {
    const got: WatchEvent[] = [];
    for (;;) {
      const { value, done } = await nextOf(events, () => `${path}, after ${JSON.stringify(got)}`);
      if (done && !ends) throw new Error(`watching ${path}: expected more events, got the end`);
      if (done) break;
      got.push(value);
      if (last(value, got.length)) break;
    }
    note((mask) => {
      const answer = mask.value(got);
      return {
        request: mask.text(`WATCH ${path}`),
        status,
        ...shownHeaders(headers, mask),
        answer,
      };
    });
    return got;
  };
  return {
    status,
    take: (count) => read((_, taken) => taken === count),
    until: (last) => read(last),
    rest: () => read(() => false, true),
    close: stream.close,
  };
}

async function* parsedLines(lines: AsyncIterable<string>): AsyncGenerator<WatchEvent> {
  for await (const line of lines) yield JSON.parse(line) as WatchEvent;
}

async function nextOf(events: AsyncGenerator<WatchEvent>, where: () => string) {
  const settled = new AbortController();
  const late = systemClock.sleep(PATIENCE_MS, settled.signal).then(() => {
    if (settled.signal.aborted) return { value: undefined as never, done: true } as const;
    throw new Error(`watching ${where()}: expected an event within ${PATIENCE_MS / 1000} s`);
  });
  try {
    return await Promise.race([events.next(), late]);
  } finally {
    settled.abort();
  }
}
