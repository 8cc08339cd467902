import type { MetricName } from '#libs/domain';
import type { RpcTopic } from './rpc-topic.ts';

/** `history.series`: measured values of one host or instance over time. */
export interface HistorySeriesQuestion {
  /** Host name of a compute node, or uuid of an instance. */
  resource: string;
  /** 1 to 8 metrics of the resource's type. */
  metrics: MetricName[];
  /** Seconds since 1970; the window is open at its start and closed at its end. */
  start: number;
  end: number;
  /** Seconds of one point, at least 10; at most 2000 points. */
  step: number;
}

/** Means per step, oldest first; steps without samples are absent. */
export interface MetricSeries {
  metric: MetricName;
  unit: string;
  /** Beginning of each step, seconds since 1970. */
  at: number[];
  values: number[];
}

/** Measured values of one host or instance over time. */
export interface HistorySeriesAnswer {
  resource: string;
  start: number;
  end: number;
  step: number;
  series: MetricSeries[];
}

/** Refusals: `history_not_available`, `invalid_input`. */
export const historySeries: RpcTopic<HistorySeriesQuestion, HistorySeriesAnswer> = {
  topic: 'history.series',
  timeoutMs: 30_000,
};
