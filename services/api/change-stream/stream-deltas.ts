import type { ViewContext } from '../collections/register-collection.ts';
import { type DeltaReply, deltaFrame } from './event-frames.ts';
import { createDeltaTexts, judge, type StreamEntry } from './stream-entry.ts';
import type { WatchFilter } from './watch-filter.ts';

/** Who reads, as far as the texts of deltas depend on it. */
export interface Reading {
  filter: WatchFilter;
  context: ViewContext;
}

/** Changes as batches and parts have them. */
export interface Changes {
  from: number;
  to: number;
  entries: readonly StreamEntry[];
}

/** Makes the deltas of changes for readers. Equal ones are made once. */
export interface StreamDeltas {
  /** JSON texts for a reader who has seen everything up to `seen`. */
  of(changes: Changes, reading: Reading, seen: number): readonly string[];
  /** The event with deltas that \`of\` has made. */
  frame(reply: DeltaReply): Buffer;
}

/** Readers that differ and are kept with a batch at most. */
const maxReadings = 100;

/** Makes a source of deltas that remembers what it has made as long as the changes live. */
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

/** The same for readers to whom everything looks alike. */
export function readingKey({ filter, context }: Reading): string {
  return JSON.stringify([context.minor, context.host, Object.entries(filter)]);
}
