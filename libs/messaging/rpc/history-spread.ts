import type { MetricName } from '#libs/domain';
import type { RpcTopic } from './rpc-topic.ts';

/** `history.spread`: how evenly a metric lay over all hosts (or instances), over time. */
export interface HistorySpreadQuestion {
  metric: MetricName;
  /** Seconds since 1970. */
  start: number;
  end: number;
  /** Seconds of one point, at least 60; at most 100 points. Points end at multiples of it. */
  step: number;
}

/** Columns of equal length, oldest first; steps without samples are absent. */
export interface HistorySpreadAnswer {
  metric: MetricName;
  unit: string;
  step: number;
  /** End of each step, seconds since 1970. */
  at: number[];
  /** Over the resources' means in the step. */
  mean: number[];
  deviation: number[];
  min: number[];
  max: number[];
  /** Resources that were measured. */
  count: number[];
}

/** Refusals: `history_not_available`, `invalid_input`. */
export const historySpread: RpcTopic<HistorySpreadQuestion, HistorySpreadAnswer> = {
  topic: 'history.spread',
  timeoutMs: 60_000,
};
