export { dataSourceNames, defaultDataSources } from './data-source-names.ts';
export type {
  AggregateQuery,
  HistoryReader,
  HistoryWriter,
  MetricResponse,
  Sample,
  SeriesPoint,
  SourceDescription,
} from './history-port.ts';
export { HistoryUnavailableError } from './history-port.ts';
export type { HistoryMetrics } from './observed-call.ts';
export { measureHistoryCalls } from './observed-call.ts';
export { needsSamples, ofSamples } from './of-samples.ts';
