export { createInfluxHistory } from './influx-history.ts';
export type { InfluxLayoutName, MetricMapping } from './metric-layout.ts';
export { influxMapping } from './metric-layout.ts';
