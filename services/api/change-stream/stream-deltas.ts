import type { ViewContext } from '../views/view-context.ts';
import { type DeltaReply, deltaFrame } from './event-frames.ts';
import { createDeltaTexts, judge, type StreamEntry } from './stream-entry.ts';
import type { WatchFilter } from './watch-filter.ts';

/** Properties of the reader that delta texts depend on. */
export interface Reading {
  filter: WatchFilter;
  context: ViewContext;
}

/** Changes of a batch or part. */
export interface Changes {
  from: number;
  to: number;
  entries: readonly StreamEntry[];
}

/** Makes the deltas of changes for readers. Equal ones are made once. */
export interface StreamDeltas {
  /** JSON texts for a reader that has received everything up to `seen`. */
  of(changes: Changes, reading: Reading, seen: number): readonly string[];
  /** The event with deltas that \`of\` has made. */
  frame(reply: DeltaReply): Buffer;
}

/** Maximum number of different readers cached per batch. */
const maxReadings = 100;

/** Makes a source of deltas that caches them for the lifetime of the changes. */
export function createStreamDeltas(): StreamDeltas {
  const textOf = createDeltaTexts();
  const known = new WeakMap<Changes, Map<string, readonly string[]>>();
  const frames = new WeakMap<readonly string[], { place: string; frame: Buffer }>();

  function make({ from, to, entries }: Changes, { filter, context }: Reading, seen: number): readonly string[] {
    const isProgress = from === to;
    return entries.flatMap((entry) => {
      if (isProgress ? seen > to : entry.revno <= seen) return [];
      const verdict = judge(entry, filter, seen);
      return verdict ? [textOf(entry, verdict, context)] : [];
    });
  }

  return {
    of(changes, reading, seen) {
      if (seen > changes.from) return make(changes, reading, seen);
      const readings = known.get(changes) ?? new Map<string, readonly string[]>();
      known.set(changes, readings);
      const key = readingKey(reading);
      const found = readings.get(key);
      if (found) return found;
      const deltas = make(changes, reading, seen);
      if (readings.size < maxReadings) readings.set(key, deltas);
      return deltas;
    },
    frame(reply) {
      const place = `${reply.epoch}:${reply.revno} ${reply.more}`;
      const found = frames.get(reply.deltas);
      if (found?.place === place) return found.frame;
      const frame = deltaFrame('deltas', reply);
      frames.set(reply.deltas, { place, frame });
      return frame;
    },
  };
}

/** A shared key for readers that get identical texts. */
export function readingKey({ filter, context }: Reading): string {
  return JSON.stringify([context.minor, context.host, Object.entries(filter)]);
}
