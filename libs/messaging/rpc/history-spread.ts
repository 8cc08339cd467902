import type { MetricName, SchemaValue } from '#libs/domain';
import { closedObject, moments, numbers } from './response-schema.ts';
import type { RpcTopic } from './rpc-topic.ts';

/** `history.spread`: the spread of a metric over all hosts (or instances), over time. */
export interface HistorySpreadRequest {
  metric: MetricName;
  /** Seconds since 1970. */
  start: number;
  end: number;
  /**
   * Seconds of one point, at least 60. At most 100 points. Points end at multiples of it. The last point is at `end`,
   * or now, if that is minutes later.
   */
  step: number;
}

const historySpreadSchema = closedObject(
  {
    metric: { type: 'string' },
    unit: { type: 'string' },
    step: { type: 'integer', description: 'Seconds.' },
    at: moments('End of each step'),
    mean: numbers('Mean over the resources.'),
    deviation: numbers('Standard deviation over the resources: 0 is even.'),
    min: numbers('Least loaded resource.'),
    max: numbers('Most loaded resource.'),
    count: { type: 'array', items: { type: 'integer' }, description: 'Measured resources.' },
  },
  { $id: 'HistorySpread', description: 'Columns of equal length, without steps that have no samples.' },
);

/** Components of the response. */
export const historySpreadSchemas = [historySpreadSchema];

/** Over the resources' means in each step, oldest first. */
export type HistorySpreadResponse = SchemaValue<typeof historySpreadSchema>;

/** Refusals: `history_not_available`, `invalid_input`. */
export const historySpread: RpcTopic<HistorySpreadRequest, HistorySpreadResponse> = {
  topic: 'history.spread',
  timeoutMs: 60_000,
};
