import type { ParameterizedQuery } from '@influxdata/influxdb-client';
import { type FluxParameterLike, flux, fluxExpression } from '@influxdata/influxdb-client';
import type { MetricAggregate } from '#libs/domain';
import type { HistoryWindow } from '../window.ts';
import type { MetricLayout } from './metric-layout.ts';

/** `range` has a closed start and an open end; a window open at its start and closed at its end is one millisecond later. */
function openStart(window: HistoryWindow): HistoryWindow {
  return { startMs: window.startMs + 1, endMs: window.endMs + 1 };
}

/** Times are written as literals, as Flux does itself, so that the server can push the range down to the storage. */
function timeLiteral(ms: number): FluxParameterLike {
  return fluxExpression(new Date(ms).toISOString());
}

function samplesOf(bucket: string, layout: MetricLayout, window: HistoryWindow): ParameterizedQuery {
  const start = timeLiteral(window.startMs);
  const stop = timeLiteral(window.endMs);
  const tags = Object.entries(layout.tags).map(([tag, value]) => flux` and r[${tag}] == ${value}`.toString());
  return flux`from(bucket: ${bucket})
  |> range(start: ${start}, stop: ${stop})
  |> filter(fn: (r) => r["_measurement"] == ${layout.measurement} and r["_field"] == ${layout.field}${fluxExpression(tags.join(''))})`;
}

/** One value per resource in the window (open start, closed end); all resources in one query. */
export function aggregateFlux(
  bucket: string,
  layout: MetricLayout,
  aggregate: MetricAggregate,
  window: HistoryWindow,
): string {
  return flux`${samplesOf(bucket, layout, openStart(window))}
  |> group(columns: [${layout.resourceTag}])
  |> ${fluxExpression(aggregate)}()
  |> keep(columns: [${layout.resourceTag}, "_value"])`.toString();
}

/** Mean per step of one resource (closed start, open end). */
export function seriesFlux(
  bucket: string,
  layout: MetricLayout,
  resource: string,
  window: HistoryWindow,
  stepSeconds: number,
): string {
  return flux`${samplesOf(bucket, layout, window)}
  |> filter(fn: (r) => r[${layout.resourceTag}] == ${resource})
  |> group()
  |> aggregateWindow(every: ${fluxExpression(`${stepSeconds}s`)}, fn: mean, createEmpty: false, timeSrc: "_start")
  |> keep(columns: ["_time", "_value"])`.toString();
}

/** One result per layout, named as in the map, with a row when the layout has a sample in the window. */
export function presentFlux(bucket: string, layouts: Map<string, MetricLayout>, window: HistoryWindow): string {
  return [...layouts]
    .map(([name, layout]) =>
      flux`${samplesOf(bucket, layout, openStart(window))}
  |> first()
  |> group()
  |> count()
  |> yield(name: ${name})`.toString(),
    )
    .join('\n\n');
}

/** Really reads the bucket, little of it: fails when it does not exist or may not be read. */
export function probeFlux(bucket: string, nowMs: number): string {
  const start = timeLiteral(nowMs - 1000);
  const stop = timeLiteral(nowMs);
  return flux`from(bucket: ${bucket})
  |> range(start: ${start}, stop: ${stop})
  |> first()
  |> group()
  |> count()`.toString();
}
