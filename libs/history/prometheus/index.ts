export { createAetosHistory, createPrometheusHistory } from './prometheus-history.ts';
export type { PrometheusMapping, PrometheusMetric } from './prometheus-metric.ts';
