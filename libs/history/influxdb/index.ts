export { createInfluxHistory } from './influx-history.ts';
export type { MetricMapping } from './metric-layout.ts';
