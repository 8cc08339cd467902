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
  /** Spacing of the stored series that the source should use, where it has several. Seconds. */
  granularitySeconds?: number;
  endMs?: number;
  /**
   * Virtual CPUs of each instance, for sources that store CPU time (Prometheus, Gnocchi, libvirt) and must turn it into
   * a percentage. Instances that are not in it are left out of such responses. Sources that store percentages ignore
   * it.
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
  /** Name of the source. Null when none had a value. */
  source: string | null;
  /** Sources that were queried before it, and why they did not serve, such as `prometheus: no values`. */
  passedOver: string[];
  /** Values that are older than usual. Absent when there are none, and where the source does not report age. */
  late?: LateValues;
  /** Values that were left out because they are above the cap of the metric. Absent when there are none. */
  impossible?: ImpossibleValues;
}

/** The metrics of a source, as far as known now. For the state of strategies. */
export interface SourceDescription {
  name: string;
  available: boolean;
  /** Why it is not available. Null when it is. */
  reason: string | null;
  metrics: {
    metric: MetricName;
    /** Its name in the source, such as `node_cpu_seconds_total`. */
    realName: string;
    /** Whether the source has had values of it in the last day. False when that is not known. */
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
  /** Value per resource. Resources without samples in the window are absent. Throws HistoryUnavailableError. */
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
  /** Really queries the store. Throws with the reason when it cannot. */
  probe(): Promise<void>;
  /** As `aggregate`, and says where the values are from and which are late. Readers that know one of both have it. */
  aggregateFrom?(query: AggregateQuery): Promise<MetricResponse>;
  /** Names that the source uses for its metrics. Default: all, under their own names. */
  realNames?(): ReadonlyMap<MetricName, string>;
  /** The metrics of each source of this reader. Never throws. */
  describe?(): Promise<SourceDescription[]>;
  /** The reader for a strategy, which may have a separate order of sources. Closed with this one. */
  forStrategy?(name: string): HistoryReader;
  close(): Promise<void>;
}

/** Writes cluster history. Used by the simulator. Resolves when the samples are stored. */
export interface HistoryWriter {
  write(samples: Sample[]): Promise<void>;
  close(): Promise<void>;
}

/** The history store did not respond in time or responded with an error. Nothing was read or written. */
export class HistoryUnavailableError extends VigilError {
  readonly code = 'history_unavailable';
  readonly category = 'retryable';

  constructor(source: string, reason: string, options?: ErrorOptions) {
    super(`history store ${source}: ${reason}`, options);
  }
}

/** The history store is up and refused this one request, such as an unknown metric. Others may still succeed. */
export class HistoryRefusedError extends VigilError {
  readonly code = 'history_refused';
  readonly category = 'permanent';

  constructor(source: string, reason: string, options?: ErrorOptions) {
    super(`history store ${source}: ${reason}`, options);
  }
}
