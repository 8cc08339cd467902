export type { DataSourceName } from './connect/data-source-names.ts';
export { dataSourceNames } from './connect/data-source-names.ts';
export { HistoryRefusedError, HistoryUnavailableError } from './errors.ts';
export type {
  AggregateQuery,
  HistoryReader,
  HistoryWriter,
  MetricAnswer,
  Sample,
  SeriesPoint,
  SourceDescription,
} from './history-port.ts';
export type { HistoryMetrics } from './observed-call.ts';
