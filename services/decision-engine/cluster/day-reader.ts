import type { Clock, MetricName } from '#libs/domain';
import type { HistoryReader } from '#libs/history';
import { createRecentMap, createSemaphore } from '#libs/service-kit';

/** Days of the past that are read: six weeks. */
export const readDays = 42;
const dayMs = 86_400_000;
/** Longest delay of samples. A day counts as full after this delay. */
const settleMs = 300_000;
/** Concurrent queries of the data source. */
const parallel = 2;
/** Length of the window at the end of a day for amounts that hardly change within a day. */
const snapshotSeconds = 600;

/** Means of all hosts over a day, by host name. */
type HostMeans = ReadonlyMap<string, number>;

/** Reads the full days of UTC before now. Each day is read once and kept. */
export interface DayReader {
  /** Means of a host metric: a map for each day, the newest first. */
  hostMeans(metric: MetricName): Promise<HostMeans[]>;
  /** Sums of an instance metric over all instances at the end of each day, the newest first. NaN: not measured. */
  instanceSums(metric: MetricName): Promise<number[]>;
}

/** Sends one grouped query for each day that was not read yet: at most 42 queries, two at a time. */
export function createDayReader({ history, clock }: { history: HistoryReader; clock: Clock }): DayReader {
  const means = createRecentMap<string, Promise<HostMeans>>(2 * readDays);
  const sums = createRecentMap<string, Promise<number>>(2 * readDays);
  const slots = createSemaphore(parallel);

  function kept<Value>(
    map: {
      get(key: string): Promise<Value> | undefined;
      set(key: string, value: Promise<Value>): void;
      delete(key: string): void;
    },
    metric: MetricName,
    read: (endMs: number) => Promise<Value>,
  ): Promise<Value[]> {
    const newest = Math.floor((clock.now() - settleMs) / dayMs) * dayMs;
    const ends = Array.from({ length: readDays }, (_, day) => newest - day * dayMs).filter((endMs) => endMs > dayMs);
    return Promise.all(
      ends.map((endMs) => {
        const key = `${metric} ${endMs}`;
        const known = map.get(key);
        if (known) return known;
        const reading = slots.run(() => read(endMs));
        map.set(key, reading);
        reading.catch(() => map.delete(key));
        return reading;
      }),
    );
  }

  return {
    hostMeans: (metric) =>
      kept(means, metric, (endMs) =>
        history.aggregate({ metric, aggregate: 'mean', periodSeconds: dayMs / 1000, endMs }),
      ),
    instanceSums: (metric) =>
      kept(sums, metric, async (endMs) => {
        const found = await history.aggregate({ metric, aggregate: 'mean', periodSeconds: snapshotSeconds, endMs });
        return found.size === 0 ? Number.NaN : [...found.values()].reduce((sum, value) => sum + value, 0);
      }),
  };
}
