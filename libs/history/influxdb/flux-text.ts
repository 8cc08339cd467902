import type { MetricAggregate } from '#libs/domain';
import { percentileShare } from '#libs/domain';
import { decimalText, type StoredBound } from '../catalogue-unit.ts';
import type { HistoryWindow } from '../window.ts';
import type { MetricLayout } from './metric-layout.ts';

const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\', '"': '\\"', $: '\\x24' };

/**
 * A string literal of Flux. A dollar sign is written by its number: before a brace it would start an expression, before
 * a backslash it is a syntax error, and its escape is valid only before a brace. The template of the InfluxDB client
 * escapes only the first case.
 */
function fluxText(text: string): string {
  return `"${text.replace(/[\n\r\t\\"$]/g, (character) => escapes[character] ?? character)}"`;
}

/** Times are literals, so the server can push the range down to the storage. */
function fluxTime(ms: number): string {
  return new Date(ms).toISOString();
}

function fluxColumns(columns: string[]): string {
  return `[${columns.map(fluxText).join(', ')}]`;
}

/** `range` has a closed start and an open end, so both are one millisecond later than those of the window. */
function openStart(window: HistoryWindow): HistoryWindow {
  return { startMs: window.startMs + 1, endMs: window.endMs + 1 };
}

function samplesOf(bucket: string, layout: MetricLayout, window: HistoryWindow): string {
  const wanted = Object.entries({ _measurement: layout.measurement, _field: layout.field, ...layout.tags });
  const predicate = wanted.map(([column, value]) => `r[${fluxText(column)}] == ${fluxText(value)}`).join(' and ');
  return `from(bucket: ${fluxText(bucket)})
  |> range(start: ${fluxTime(window.startMs)}, stop: ${fluxTime(window.endMs)})
  |> filter(fn: (r) => ${predicate})`;
}

/** Growths per second between samples. `derivative` needs one table in the order of time. */
function ratesFlux(layout: MetricLayout, aggregate: MetricAggregate): string {
  if (layout.kind === 'gauge' || aggregate === 'count') return '';
  return `
  |> sort(columns: ["_time"])
  |> derivative(unit: 1s, nonNegative: true)`;
}

/** Columns of the sums for a trend. Times are hours after the start of the window. No tag starts with `_`. */
export const trendSums = ['_n', '_x', '_y', '_xx', '_xy'] as const;

function trendFlux(window: HistoryWindow): string {
  const hours = `float(v: int(v: r._time) - ${BigInt(window.startMs) * 1_000_000n}) / 3600000000000.0`;
  return `map(fn: (r) => ({r with _hours: ${hours}, _value: float(v: r._value)}))
  |> reduce(
      identity: {_n: 0.0, _x: 0.0, _y: 0.0, _xx: 0.0, _xy: 0.0},
      fn: (r, accumulator) => ({
        _n: accumulator._n + 1.0,
        _x: accumulator._x + r._hours,
        _y: accumulator._y + r._value,
        _xx: accumulator._xx + r._hours * r._hours,
        _xy: accumulator._xy + r._hours * r._value,
      }),
    )`;
}

function reductionFlux(aggregate: MetricAggregate, window: HistoryWindow): string {
  if (aggregate === 'trend') return trendFlux(window);
  const share = percentileShare(aggregate);
  return share === undefined ? `${aggregate}()` : `quantile(q: ${share.toFixed(2)}, method: "exact_mean")`;
}

function namedFlux(layout: MetricLayout, resources: readonly string[] | undefined): string {
  if (resources === undefined) return '';
  const tests = resources.map((resource) => `r[${fluxText(layout.resourceTag)}] == ${fluxText(resource)}`);
  return `
  |> filter(fn: (r) => ${tests.join(' or ')})`;
}

function beyondFlux(bound: StoredBound | undefined): string {
  if (bound === undefined) return '';
  return `
  |> filter(fn: (r) => r._value ${bound.operator} ${decimalText(bound.value)})`;
}

/**
 * One value per resource in the window (open start, closed end). All `resources` (default: all there are) in one query.
 * For a trend the columns `trendSums` instead of `_value`. Otherwise only values beyond `bound` (default: all).
 */
export function aggregateFlux(
  bucket: string,
  layout: MetricLayout,
  aggregate: MetricAggregate,
  window: HistoryWindow,
  resources?: readonly string[],
  bound?: StoredBound,
): string {
  const columns = aggregate === 'trend' ? trendSums : ['_value'];
  return `${samplesOf(bucket, layout, openStart(window))}${namedFlux(layout, resources)}
  |> group(columns: ${fluxColumns([layout.resourceTag])})${ratesFlux(layout, aggregate)}
  |> ${reductionFlux(aggregate, window)}
  |> keep(columns: ${fluxColumns([layout.resourceTag, ...columns])})${beyondFlux(bound)}`;
}

/** Mean per step of one resource (closed start, open end). */
export function seriesFlux(
  bucket: string,
  layout: MetricLayout,
  resource: string,
  window: HistoryWindow,
  stepSeconds: number,
): string {
  return `${samplesOf(bucket, layout, window)}
  |> filter(fn: (r) => r[${fluxText(layout.resourceTag)}] == ${fluxText(resource)})
  |> group()${ratesFlux(layout, 'mean')}
  |> aggregateWindow(every: ${stepSeconds}s, fn: mean, createEmpty: false, timeSrc: "_start")
  |> keep(columns: ${fluxColumns(['_time', '_value'])})`;
}

/** One result per layout, with the name in the map. It has a row when the layout has a sample in the window. */
export function presentFlux(bucket: string, layouts: Map<string, MetricLayout>, window: HistoryWindow): string {
  const results = [...layouts].map(
    ([name, layout]) => `${samplesOf(bucket, layout, openStart(window))}
  |> first()
  |> group()
  |> count()
  |> yield(name: ${fluxText(name)})`,
  );
  return results.join('\n\n');
}

/** Reads little of the bucket. Fails when the bucket does not exist or must not be read. */
export function probeFlux(bucket: string, nowMs: number): string {
  return `from(bucket: ${fluxText(bucket)})
  |> range(start: ${fluxTime(nowMs - 1000)}, stop: ${fluxTime(nowMs)})
  |> first()
  |> group()
  |> count()`;
}
