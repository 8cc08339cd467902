import type { MetricAggregate } from '#libs/domain';
import type { SeriesPoint } from '../history-port.ts';
import type { HistoryWindow } from '../window.ts';
import type { MetricLayout } from './metric-layout.ts';

/** One dialect of InfluxDB. Values are as stored; the caller converts them. Errors are the transport's own. */
export interface InfluxBackend {
  aggregate(layout: MetricLayout, aggregate: MetricAggregate, window: HistoryWindow): Promise<Map<string, number>>;
  series(layout: MetricLayout, resource: string, window: HistoryWindow, stepSeconds: number): Promise<SeriesPoint[]>;
  /** Names of the layouts that have a sample in the window. */
  present(layouts: Map<string, MetricLayout>, window: HistoryWindow): Promise<string[]>;
  write(lines: string[]): Promise<void>;
  probe(nowMs: number): Promise<void>;
}
