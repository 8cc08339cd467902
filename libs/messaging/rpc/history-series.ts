import type { MetricName, SchemaValue } from '#libs/domain';
import { closedObject, componentOf, moments, numbers } from './response-schema.ts';
import type { RpcTopic } from './rpc-topic.ts';

/** `history.series`: measured values of one host or instance over time. */
export interface HistorySeriesRequest {
  /** Host name of a compute node, or uuid of an instance. */
  resource: string;
  /** 1 to 8 metrics of the resource's type. */
  metrics: MetricName[];
  /** Seconds since 1970. The window is open at its start and closed at its end. */
  start: number;
  end: number;
  /** Seconds of one point, at least 10. At most 2000 points. */
  step: number;
}

const metricSeriesSchema = closedObject(
  {
    metric: { type: 'string' },
    unit: { type: 'string' },
    at: moments('Start of each step'),
    values: numbers('Mean in the step.'),
  },
  { $id: 'MetricSeries', description: 'Steps without samples are absent.' },
);

const historySeriesSchema = closedObject(
  {
    resource: { type: 'string', description: 'Host name, or uuid of an instance.' },
    start: { type: 'integer' },
    end: { type: 'integer' },
    step: { type: 'integer', description: 'Seconds.' },
    series: {
      type: 'array',
      items: componentOf(metricSeriesSchema),
      description: 'Series in the order of the request.',
    },
  },
  { $id: 'HistorySeries' },
);

/** Components of the response. */
export const historySeriesSchemas = [metricSeriesSchema, historySeriesSchema];

/** Means per step, oldest first. */
export type MetricSeries = SchemaValue<typeof metricSeriesSchema>;
/** Measured values of one host or instance over time. */
export type HistorySeriesResponse = SchemaValue<typeof historySeriesSchema>;

/** Refusals: `history_not_available`, `invalid_input`. */
export const historySeries: RpcTopic<HistorySeriesRequest, HistorySeriesResponse> = {
  topic: 'history.series',
  timeoutMs: 30_000,
};
