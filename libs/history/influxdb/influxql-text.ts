import type { MetricAggregate } from '#libs/domain';
import { decimalText, type StoredBound } from '../catalogue-unit.ts';
import type { HistoryWindow } from '../window.ts';
import type { MetricLayout } from './metric-layout.ts';

/** Quotes an identifier of InfluxQL. */
export function influxqlName(name: string): string {
  return `"${escapeText(name).replaceAll('"', '\\"')}"`;
}

/** Quotes a string literal of InfluxQL. */
function influxqlString(text: string): string {
  return `'${escapeText(text).replaceAll("'", "\\'")}'`;
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function conditions(layout: MetricLayout): string {
  return Object.entries(layout.tags)
    .map(([tag, value]) => ` AND ${influxqlName(tag)} = ${influxqlString(value)}`)
    .join('');
}

function named(layout: MetricLayout, resources: readonly string[] | undefined): string {
  if (resources === undefined) return '';
  const tests = resources.map((resource) => `${influxqlName(layout.resourceTag)} = ${influxqlString(resource)}`);
  return ` AND (${tests.join(' OR ')})`;
}

/**
 * One value per resource in the window (open start, closed end), of `resources` (default: all). With a bound, of the
 * samples beyond it (default: of all samples).
 */
export function aggregateInfluxql(
  layout: MetricLayout,
  aggregate: MetricAggregate,
  window: HistoryWindow,
  resources?: readonly string[],
  bound?: StoredBound,
): string {
  const inside = `time > ${window.startMs}ms AND time <= ${window.endMs}ms`;
  const beyond = (field: string) =>
    bound === undefined ? '' : ` AND ${influxqlName(field)} ${bound.operator} ${decimalText(bound.value)}`;
  const ofNamed = `${inside}${named(layout, resources)}`;
  const by = `GROUP BY ${influxqlName(layout.resourceTag)}`;
  if (layout.kind === 'counter' && aggregate !== 'count') {
    return `SELECT ${aggregate}("value") AS "value" FROM (${ratesInfluxql(layout, ofNamed, by)}) WHERE ${inside}${beyond('value')} ${by}`;
  }
  return (
    `SELECT ${aggregate}(${influxqlName(layout.field)}) AS "value" FROM ${influxqlName(layout.measurement)}` +
    ` WHERE ${ofNamed}${beyond(layout.field)}${conditions(layout)} ${by}`
  );
}

/**
 * All samples per resource in the window (open start, closed end), or their growths per second, of `resources`
 * (default: all). Oldest first.
 */
export function samplesInfluxql(layout: MetricLayout, window: HistoryWindow, resources?: readonly string[]): string {
  const inside = `time > ${window.startMs}ms AND time <= ${window.endMs}ms${named(layout, resources)}`;
  const by = `GROUP BY ${influxqlName(layout.resourceTag)}`;
  if (layout.kind === 'counter') return ratesInfluxql(layout, inside, by);
  return (
    `SELECT ${influxqlName(layout.field)} AS "value" FROM ${influxqlName(layout.measurement)}` +
    ` WHERE ${inside}${conditions(layout)} ${by}`
  );
}

/** Growths per second between samples. A counter that restarts has no growth there. */
function ratesInfluxql(layout: MetricLayout, inside: string, by: string): string {
  return (
    `SELECT non_negative_derivative(${influxqlName(layout.field)}, 1s) AS "value" FROM ` +
    `${influxqlName(layout.measurement)} WHERE ${inside}${conditions(layout)} ${by}`
  );
}

/** Mean per step of one resource (closed start, open end). */
export function seriesInfluxql(
  layout: MetricLayout,
  resource: string,
  window: HistoryWindow,
  stepSeconds: number,
): string {
  const inside = `time >= ${window.startMs}ms AND time < ${window.endMs}ms`;
  const ofResource = `${inside} AND ${influxqlName(layout.resourceTag)} = ${influxqlString(resource)}`;
  const steps = `GROUP BY time(${stepSeconds}s) fill(none)`;
  if (layout.kind === 'counter') {
    return `SELECT mean("value") AS "value" FROM (${ratesInfluxql(layout, ofResource, '').trim()}) WHERE ${inside} ${steps}`;
  }
  return (
    `SELECT mean(${influxqlName(layout.field)}) AS "value" FROM ${influxqlName(layout.measurement)}` +
    ` WHERE ${ofResource}${conditions(layout)} ${steps}`
  );
}

/** At most one row, if the layout has a sample in the window. */
export function presentInfluxql(layout: MetricLayout, window: HistoryWindow): string {
  return (
    `SELECT ${influxqlName(layout.field)} AS "value" FROM ${influxqlName(layout.measurement)}` +
    ` WHERE time > ${window.startMs}ms AND time <= ${window.endMs}ms${conditions(layout)} LIMIT 1`
  );
}
