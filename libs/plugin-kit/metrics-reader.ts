import { type ComputeSnapshot, hostFlag } from '#libs/cluster-model';
import {
  type Clock,
  type ImpossibleValues,
  InvalidInputError,
  type LateValues,
  type MetricName,
  type MetricResourceType,
  type MetricUse,
  metricCatalogue,
} from '#libs/domain';
import type { AggregateQuery } from '#libs/history';
import type { MetricsReader, MetricsWindow } from './strategy.ts';

/** The part of a history reader that metrics come from. */
export interface MetricsSource {
  readonly name?: string;
  aggregate(query: AggregateQuery): Promise<Map<string, number>>;
  /** As `aggregate`, and says where the values are from. See `HistoryReader`. */
  aggregateFrom?(query: AggregateQuery): Promise<{
    values: Map<string, number>;
    source: string | null;
    passedOver: string[];
    late?: LateValues;
    impossible?: ImpossibleValues;
  }>;
}

type Result = Omit<Awaited<ReturnType<NonNullable<MetricsSource['aggregateFrom']>>>, 'source'> & {
  /** Undefined when the source has no name. */
  source: string | null | undefined;
};

/** Bound of the windows of metrics of hosts, for measurements that must not average over a change of placements. */
export interface HostWindow {
  /** Length at most, whole seconds from 1. Windows that ended a while ago are not shortened. */
  seconds: number;
  /** Called with hosts that are up and have values in the window that was requested, but none in the shorter one. */
  onGap(hostnames: readonly string[]): void;
}

/** A column that a run has read, and its window. */
export interface KnownColumn {
  window: MetricsWindow;
  column: Float64Array;
}

/** A reader for one run of a strategy, and the record of its queries. */
export interface RecordedMetrics {
  reader: MetricsReader;
  /** Metrics requested so far, for the audit's report. Windows that differ by their end only are one entry. */
  uses(): MetricUse[];
  /**
   * Column of a metric that the run has read already, for a window that ended now: the first one of means, else the
   * first one. With `like` only one of the same aggregate and period. Undefined when the run has read none.
   */
  known(metric: MetricName, like?: MetricsWindow): Promise<KnownColumn | undefined>;
}

/**
 * Aligns history with the rows of a snapshot: NaN where a resource has no finite value. Every question is one grouped
 * query, and a repeated question reaches the store once. `endMs` fixes the end of all windows (default: the time of the
 * query, by the store's clock). `hostWindow` shortens the windows of hosts (default: as long as requested). `onQuery`
 * receives the milliseconds of each query.
 * The reader throws InvalidInputError for a host metric of instances or the reverse, and the errors of the source.
 */
export function createMetricsReader(options: {
  history: MetricsSource;
  snapshot: ComputeSnapshot;
  endMs?: number;
  /** For windows that ended a while ago. Needed only where `endMs` is not given. */
  clock?: Clock;
  hostWindow?: HostWindow;
  onQuery?: (ms: number) => void;
}): RecordedMetrics {
  const { history, snapshot } = options;
  const responses = new Map<string, { metric: MetricName; window: MetricsWindow; column: Promise<Float64Array> }>();
  const uses: MetricUse[] = [];
  let vcpus: ReadonlyMap<string, number> | undefined;

  async function from(query: AggregateQuery): Promise<Result> {
    if (history.aggregateFrom !== undefined) return await history.aggregateFrom(query);
    return { values: await history.aggregate(query), source: history.name, passedOver: [] };
  }

  function endOf(secondsAgo: number): number | undefined {
    if (secondsAgo === 0) return options.endMs;
    const nowMs = options.endMs ?? options.clock?.now();
    if (nowMs === undefined) throw new InvalidInputError('endsSecondsAgo', 'is not possible without a clock');
    return nowMs - secondsAgo * 1000;
  }

  /** Seconds to which the window is shortened. Null where it keeps its length. */
  function shortenedTo({ periodSeconds, endsSecondsAgo = 0 }: MetricsWindow, type: MetricResourceType): number | null {
    const { hostWindow } = options;
    const isBound = hostWindow !== undefined && type === 'compute_node' && endsSecondsAgo === 0;
    return isBound && hostWindow.seconds < periodSeconds ? hostWindow.seconds : null;
  }

  /** Reports hosts without a value in a shortened window, unless they have none in the whole window either. */
  async function reportGap(whole: AggregateQuery, column: Float64Array): Promise<void> {
    const isUp = (row: number) => ((snapshot.hosts.flags[row] as number) & hostFlag.up) !== 0;
    const without = snapshot.hostInfo.flatMap(({ hostname }, row) =>
      Number.isNaN(column[row]) && isUp(row) ? hostname : [],
    );
    if (without.length === 0) return;
    const { values } = await from(whole);
    const gap = without.filter((hostname) => Number.isFinite(values.get(hostname)));
    if (gap.length > 0) options.hostWindow?.onGap(gap);
  }

  async function query(metric: MetricName, window: MetricsWindow, names: string[], type: MetricResourceType) {
    const started = performance.now();
    const { endsSecondsAgo = 0, ...rest } = window;
    const whole = { ...rest, metric, endMs: endOf(endsSecondsAgo) };
    const seconds = shortenedTo(window, type);
    const requested = seconds === null ? whole : { ...whole, periodSeconds: seconds };
    if (perVcpu.has(metric)) vcpus ??= vcpusOf(snapshot);
    const found = await from(perVcpu.has(metric) ? { ...requested, vcpus } : requested);
    const column = Float64Array.from(names, (name) => finiteOr(found.values.get(name), Number.NaN));
    if (seconds !== null) await reportGap(whole, column);
    options.onQuery?.(performance.now() - started);
    const passedOver = found.passedOver.length > 0 ? { passedOver: found.passedOver } : {};
    const { late, impossible } = found;
    const faults = { ...(late && { late }), ...(impossible && { impossible }) };
    uses.push({ ...useOf(metric, type, window, names, column), source: found.source, ...passedOver, ...faults });
    return column;
  }

  function request(metric: MetricName, window: MetricsWindow, type: MetricResourceType, names: () => string[]) {
    if (metricCatalogue[metric]?.resourceType !== type) {
      throw new InvalidInputError('metric', `${metric} is not a metric of ${type} resources`);
    }
    const key = JSON.stringify([
      metric,
      window.aggregate,
      window.periodSeconds,
      window.granularitySeconds ?? null,
      window.endsSecondsAgo ?? 0,
    ]);
    let response = responses.get(key);
    if (response === undefined) {
      response = { metric, window, column: query(metric, window, names(), type) };
      responses.set(key, response);
      response.column.catch(() => responses.delete(key));
    }
    return response.column;
  }

  const reader: MetricsReader = {
    hosts: async (metric, window) =>
      (await request(metric, window, 'compute_node', () => snapshot.hostInfo.map((host) => host.hostname))).slice(),
    instances: async (metric, window) =>
      (await request(metric, window, 'instance', () => snapshot.instanceInfo.map((instance) => instance.uuid))).slice(),
  };
  async function known(metric: MetricName, like?: MetricsWindow): Promise<KnownColumn | undefined> {
    const current = [...responses.values()].filter(
      (one) =>
        one.metric === metric &&
        !one.window.endsSecondsAgo &&
        (like === undefined ||
          (one.window.aggregate === like.aggregate && one.window.periodSeconds === like.periodSeconds)),
    );
    const chosen = current.find(({ window }) => window.aggregate === 'mean') ?? current[0];
    return chosen && { window: chosen.window, column: (await chosen.column).slice() };
  }

  return { reader, uses: () => mergedUses(uses), known };
}

/** Metrics that sources may have to divide by the virtual CPUs of the instance. */
const perVcpu: ReadonlySet<MetricName> = new Set(['instance_cpu_usage', 'instance_cpu_steal']);

/** A source that divides by zero reports an infinite value, which measures nothing. */
function finiteOr(value: number | undefined, otherwise: number): number {
  return value !== undefined && Number.isFinite(value) ? value : otherwise;
}

function vcpusOf({ instanceInfo, instances }: ComputeSnapshot): Map<string, number> {
  return new Map(instanceInfo.map(({ uuid }, row) => [uuid, instances.vcpus[row] ?? 0]));
}

function useOf(
  metric: MetricName,
  resourceType: MetricResourceType,
  window: MetricsWindow,
  names: string[],
  column: Float64Array,
): MetricUse {
  const without = names.filter((_, row) => Number.isNaN(column[row]));
  return {
    metric,
    resourceType,
    aggregate: window.aggregate,
    periodSeconds: window.periodSeconds,
    asked: names.length,
    missing: without.length,
    missingExamples: without.slice(0, 10),
  };
}

/** One entry for all windows of a metric that have one length and one source: the window with the most gaps. */
function mergedUses(uses: readonly MetricUse[]): MetricUse[] {
  const merged = new Map<string, MetricUse>();
  for (const use of uses) {
    const { metric, resourceType, aggregate, periodSeconds, source, passedOver, late, impossible } = use;
    const key = JSON.stringify([metric, resourceType, aggregate, periodSeconds, source, passedOver, late, impossible]);
    const known = merged.get(key);
    const worst = known !== undefined && known.missing >= use.missing ? known : use;
    merged.set(key, known === undefined ? use : { ...worst, windows: (known.windows ?? 1) + 1 });
  }
  return [...merged.values()];
}
