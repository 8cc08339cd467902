export { HistoryUnavailableError } from './errors.ts';
export type { AggregateQuery, HistoryReader, HistoryWriter, Sample, SeriesPoint } from './history-port.ts';
export type { HistoryMetrics } from './observed-call.ts';
