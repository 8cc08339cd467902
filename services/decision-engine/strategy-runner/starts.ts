import type { MetricsReader } from '#libs/plugin-kit';
import type { PlannedRun } from './worker-protocol.ts';

/** A reader that sends each query once, for any number of runs. */
export function shareMetrics(reader: MetricsReader): MetricsReader {
  const responses = new Map<string, Promise<Float64Array>>();
  const once =
    (of: 'hosts' | 'instances'): MetricsReader['hosts'] =>
    (metric, window) => {
      const key = JSON.stringify([of, metric, window]);
      const response = responses.get(key) ?? reader[of](metric, window);
      responses.set(key, response);
      return response;
    };
  return { hosts: once('hosts'), instances: once('instances') };
}

/**
 * Whether a rank is better than another. Numbers are compared in order, a missing number counts as 0, and the lower
 * number wins.
 */
function isBetter(rank: readonly number[], than: readonly number[]): boolean {
  const length = Math.max(rank.length, than.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (rank[index] ?? 0) - (than[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/**
 * Runs a search from several starts in parallel and returns the best by rank, the first of equal ones. All starts run
 * even on busy threads, so the result is repeatable. A failed start fails the run: `giveUp` then ends the others.
 */
export async function runStarts(
  starts: number,
  run: (start: number, giveUp: AbortSignal) => Promise<PlannedRun>,
): Promise<PlannedRun> {
  const ending = new AbortController();
  const all = Array.from({ length: starts }, (_, start) => run(start, ending.signal));
  const runs = await Promise.all(all).finally(() => ending.abort());
  const best = runs.reduce((kept, one) => (isBetter(one.rank ?? [], kept.rank ?? []) ? one : kept));
  const { search } = best.report;
  if (search === undefined) return best;
  return { ...best, report: { ...best.report, search: { ...search, starts } } };
}
