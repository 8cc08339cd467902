import { performance } from 'node:perf_hooks';
import type { Metrics } from '#libs/service-kit';

/** Hook that counts calls to a history store and impossible values. It must not throw. */
export interface HistoryMetrics {
  called(call: { source: string; operation: string; ok: boolean; seconds: number }): void;
  /** Resources whose values above the cap of the metric a query omitted. */
  impossible?(found: { source: string; metric: string; resources: number }): void;
}

/** Runs one call, and reports duration and success to the hook. */
export async function observedCall<T>(
  metrics: HistoryMetrics | undefined,
  source: string,
  operation: string,
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const report = (ok: boolean) =>
    metrics?.called({ source, operation, ok, seconds: (performance.now() - startedAt) / 1000 });
  try {
    const result = await work();
    report(true);
    return result;
  } catch (error) {
    report(false);
    throw error;
  }
}

/**
 * Counts and times queries to each data source in `vigil_history_call_seconds`, and counts impossible values in
 * `vigil_history_impossible_total`.
 */
export function measureHistoryCalls(metrics: Metrics): HistoryMetrics {
  const labels = ['source', 'operation', 'outcome'];
  const seconds = metrics.histogram('vigil_history_call_seconds', 'Duration of requests to data sources', labels);
  const impossible = metrics.counter('vigil_history_impossible_total', 'Values left out of queries', [
    'source',
    'metric',
  ]);
  return {
    impossible: ({ source, metric, resources }) => impossible.inc({ source, metric }, resources),
    called: ({ source, operation, ok, seconds: took }) =>
      seconds.observe({ source, operation, outcome: ok ? 'ok' : 'error' }, took),
  };
}
