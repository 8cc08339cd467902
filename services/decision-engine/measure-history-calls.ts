import type { HistoryMetrics } from '#libs/history';
import type { Metrics } from '#libs/service-kit';

/** Counts and times what is asked of each data source, in `vigil_history_call_seconds`. */
export function measureHistoryCalls(metrics: Metrics): HistoryMetrics {
  const labels = ['source', 'operation', 'outcome'];
  const seconds = metrics.histogram('vigil_history_call_seconds', 'Duration of questions to data sources', labels);
  return {
    called: ({ source, operation, ok, seconds: took }) =>
      seconds.observe({ source, operation, outcome: ok ? 'ok' : 'error' }, took),
  };
}
