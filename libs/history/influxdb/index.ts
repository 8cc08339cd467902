export type { InfluxHistoryOptions } from './influx-history.ts';
export { createInfluxHistory } from './influx-history.ts';
export type { InfluxTarget, InfluxVersion } from './influx-target.ts';
export { parseInfluxTarget } from './influx-target.ts';
export type { MetricLayout, MetricMapping } from './metric-layout.ts';
