import {
  type ImpossibleValues,
  type LateValues,
  type MetricAggregate,
  type MetricName,
  VigilError,
} from '#libs/domain';

/** One measured value. `resource` is the host name of a compute node or the uuid of an instance. */
export interface Sample {
  metric: MetricName;
  resource: string;
  /** In the unit of the metric catalogue. */
  value: number;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * One aggregate per resource over a window that ends at `endMs` (default: now, by the store's or the reader's clock).
 */
export interface AggregateQuery {
  metric: MetricName;
  aggregate: MetricAggregate;
  periodSeconds: number;
  /** Requested spacing of the stored series, for sources with several spacings. Seconds. */
  granularitySeconds?: number;
  endMs?: number;
  /**
   * Virtual CPUs of each instance. Sources that store CPU time (Prometheus, Gnocchi, libvirt) need them for percentages
   * and omit instances without them. Sources that store percentages ignore them.
   */
  vcpus?: ReadonlyMap<string, number>;
  /**
   * Resources whose values are needed. Default: all. A source that can reads only these. Others return more, so the
   * caller takes its resources from the response by name.
   */
  resources?: readonly string[];
}

/** Values of one metric, all from one source. */
export interface MetricResponse {
  values: Map<string, number>;
  /** Name of the source. Null when no source had a value. */
  source: string | null;
  /** Skipped sources with the reason, such as `prometheus: no values`. */
  passedOver: string[];
  /** Values that are older than usual. Absent without any, and when the source does not report their age. */
  late?: LateValues;
  /** Stored names by further names of the same resources in `values`. Absent without any. */
  aliases?: ReadonlyMap<string, string>;
  /** Omitted values above the cap of the metric. Absent without any. */
  impossible?: ImpossibleValues;
}

/** The known metrics of a source, for the state of strategies. */
export interface SourceDescription {
  name: string;
  available: boolean;
  /** Why it is unavailable. Null when it is available. */
  reason: string | null;
  metrics: {
    metric: MetricName;
    /** Its name in the source, such as `node_cpu_seconds_total`. */
    realName: string;
    /** Whether the source had values of it in the last day. False if unknown. */
    available: boolean;
  }[];
}

/** One point of a series: a mean per `stepSeconds`. */
export interface SeriesPoint {
  at: number;
  value: number;
}

/** Reads cluster history. Every call is one grouped query for all or many resources, bounded in time. */
export interface HistoryReader {
  /** Name for reports, such as `influxdb`. */
  readonly name: string;
  /** Value per resource. Resources without samples in the window are absent. @throws HistoryUnavailableError */
  aggregate(query: AggregateQuery): Promise<Map<string, number>>;
  /** History of one resource, oldest first. */
  series(query: {
    metric: MetricName;
    resource: string;
    startMs: number;
    endMs: number;
    stepSeconds: number;
    /** Virtual CPUs of the instance. See `AggregateQuery`. */
    vcpus?: number;
  }): Promise<SeriesPoint[]>;
  /** Metrics for which there are samples in the last day. */
  listMetrics(): Promise<MetricName[]>;
  /** Sends a real query to the store. @throws an error with the reason */
  probe(): Promise<void>;
  /** Like `aggregate`, with the source, late values and further names. Only in readers that know any of them. */
  aggregateFrom?(query: AggregateQuery): Promise<MetricResponse>;
  /**
   * Greatest value of each resource with a value above `limit`, in the window of the query, by its stored name only.
   * For a source that finds them with less effort than the maxima of all resources.
   */
  maximaAbove?(query: AggregateQuery, limit: number): Promise<Map<string, number>>;
  /** Names of the metrics in the source. Default: the names of the catalogue. */
  realNames?(): ReadonlyMap<MetricName, string>;
  /** The metrics of each source of this reader. Never throws. */
  describe?(): Promise<SourceDescription[]>;
  /** The reader for a strategy, which may have a separate order of sources. It is closed with this one. */
  forStrategy?(name: string): HistoryReader;
  close(): Promise<void>;
}

/** Writes the cluster history, for the simulator. Resolves when the samples are stored. */
export interface HistoryWriter {
  write(samples: Sample[]): Promise<void>;
  close(): Promise<void>;
}

/** The history store did not respond in time, or returned an error. Nothing was read or written. */
export class HistoryUnavailableError extends VigilError {
  readonly code = 'history_unavailable';
  readonly category = 'retryable';

  constructor(source: string, reason: string, options?: ErrorOptions) {
    super(`history store ${source}: ${reason}`, options);
  }
}

/**
 * The history store is available and refused this request, such as one for an unknown metric. Other requests may
 * succeed.
 */
export class HistoryRefusedError extends VigilError {
  readonly code = 'history_refused';
  readonly category = 'permanent';

  constructor(source: string, reason: string, options?: ErrorOptions) {
    super(`history store ${source}: ${reason}`, options);
  }
}
