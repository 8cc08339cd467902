import type { MetricAggregate, MetricName } from '#libs/domain';

/** One measured value. `resource` is the host name of a compute node or the uuid of an instance. */
export interface Sample {
  metric: MetricName;
  resource: string;
  /** In the unit of the metric catalogue. */
  value: number;
  /** Milliseconds since 1970. */
  at: number;
}

/** One aggregate per resource over a window that ends at `endMs` (default: now, by the store's or the reader's clock). */
export interface AggregateQuery {
  metric: MetricName;
  aggregate: MetricAggregate;
  periodSeconds: number;
  /** Spacing of the stored series that the source should use, where it has several; seconds. */
  granularitySeconds?: number;
  endMs?: number;
}

/** One point of a series: a mean per `stepSeconds`. */
export interface SeriesPoint {
  at: number;
  value: number;
}

/** Reads cluster history. Every call is one grouped query for all resources, bounded in time. */
export interface HistoryReader {
  /** Name for reports, such as `influxdb`. */
  readonly name: string;
  /** Value per resource; resources without samples in the window are absent. Throws HistoryUnavailableError. */
  aggregate(query: AggregateQuery): Promise<Map<string, number>>;
  /** History of one resource, oldest first. */
  series(query: {
    metric: MetricName;
    resource: string;
    startMs: number;
    endMs: number;
    stepSeconds: number;
  }): Promise<SeriesPoint[]>;
  /** Metrics for which there are samples in the last day. */
  listMetrics(): Promise<MetricName[]>;
  /** Really queries the store; throws with the reason when it can not. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** Writes cluster history; used by the simulator. Resolves when the samples are stored. */
export interface HistoryWriter {
  write(samples: Sample[]): Promise<void>;
  close(): Promise<void>;
}
