export { createAetosHistory, createPrometheusHistory } from './prometheus-history.ts';
export type { PrometheusMapping } from './prometheus-metric.ts';
