export { HistoryUnavailableError } from './errors.ts';
export type { AggregateQuery, HistoryReader, HistoryWriter, Sample, SeriesPoint } from './history-port.ts';
