import type { ComputeSnapshot } from '#libs/cluster-model';
import { type Clock, type MetricName, nearestHint } from '#libs/domain';
import {
  busyLoad,
  daysUntilFull,
  expectationText,
  forecastSeries,
  type HourlySeries,
  hourlySeries,
  hourMs,
  type SeriesForecast,
  verdictText,
} from '#libs/forecast';
import type { HistoryReader } from '#libs/history';
import {
  forecastHours,
  forecastKinds,
  forecastLoads,
  isRefusal,
  type LoadForecastRequest,
  type LoadForecastResponse,
  type RpcRefusal,
  refuse,
  refuseBecause,
} from '#libs/messaging';
import { createRecentMap, createSemaphore } from '#libs/service-kit';
import { latestModel } from '../model/fresh-enough.ts';
import { rounded } from '../model/host-summaries.ts';
import type { ClusterDeps } from './describe-cluster.ts';
import { fullBody, rounded2, trendBody } from './forecast-bodies.ts';

/** Length of the past that is read: eight weeks, one value for each hour. */
const historyHours = 56 * 24;
/** Longest delay of samples. An hour counts as full after this delay. */
const settleMs = 120_000;
/** Concurrent queries of the data source, and number of cached series. A series has 1,344 values. */
const parallel = 4;
const keptSeries = 500;
/** Maximum age of a model. An older model is used while the next one is collected. */
const shownAgeMs = 60_000;
const maxName = 255;

/** A host or an instance, and the conversion of its load to percent. */
interface Subject {
  name: string;
  metric: MetricName;
  /** Factor from the unit of the metric to percent. */
  toPercent: number;
  vcpus?: number;
}

/**
 * Creates the handler of `load.forecast`. Each request sends one query to the data source. A series is read once an
 * hour. Loads are capped at 100 %.
 */
export function createLoadForecaster({ history, clock, model, logger }: ClusterDeps) {
  const readSeries = createSeriesReader({ history, clock });

  return async (request: LoadForecastRequest): Promise<LoadForecastResponse | RpcRefusal> => {
    const fault = faultOf(request);
    if (fault !== null) return refuse('invalid_input', fault);
    const snapshot = await latestModel(model, shownAgeMs, logger).catch((error: unknown) =>
      refuse('model_not_available', error),
    );
    if (isRefusal(snapshot)) return snapshot;
    const subject = request.kind === 'host' ? hostOf(snapshot, request) : instanceOf(snapshot, request);
    if (isRefusal(subject)) return subject;
    try {
      const { startMs, values } = await readSeries(request.id, subject);
      const percents = { startMs, values: values.map((value) => Math.min(100, value * subject.toPercent)) };
      const forecast = forecastSeries(percents, { hours: request.hours, most: 100 });
      return responseOf(request, subject.name, { forecast, busy: busyLoad(percents.values) }, clock);
    } catch (error) {
      return refuseBecause(error, 'history_not_available');
    }
  };
}

/** Reads the full hours of one resource. Series of the current hour are cached. */
function createSeriesReader({ history, clock }: { history: HistoryReader; clock: Clock }) {
  const kept = createRecentMap<string, Promise<HourlySeries>>(keptSeries);
  const slots = createSemaphore(parallel);

  return (resource: string, { metric, vcpus }: Subject): Promise<HourlySeries> => {
    const endMs = Math.floor((clock.now() - settleMs) / hourMs) * hourMs;
    const key = `${metric} ${endMs} ${resource}`;
    const known = kept.get(key);
    if (known) return known;
    const window = { startMs: Math.max(0, endMs - historyHours * hourMs), endMs, stepSeconds: hourMs / 1000 };
    const reading = slots
      .run(() => history.series({ metric, resource, vcpus, ...window }))
      .then((points) => hourlySeries(points, endMs, historyHours));
    kept.set(key, reading);
    reading.catch(() => kept.delete(key));
    return reading;
  };
}

function faultOf({ kind, id, load, hours, full_at: fullAt }: LoadForecastRequest): string | null {
  if (!forecastKinds.includes(kind)) return `kind: ${kind} is none of ${forecastKinds.join(', ')}`;
  if (!forecastLoads.includes(load)) return `load: ${load} is none of ${forecastLoads.join(', ')}`;
  if (id.length > maxName) return `id: at most ${maxName} characters`;
  if (!(fullAt >= 1 && fullAt <= 100)) return 'full_at: 1 to 100';
  const { least, most } = forecastHours;
  return Number.isInteger(hours) && hours >= least && hours <= most ? null : `hours: whole number, ${least} to ${most}`;
}

function hostOf({ hostInfo, hosts }: ComputeSnapshot, { id, load }: LoadForecastRequest): Subject | RpcRefusal {
  const row = hostInfo.findIndex(({ hostname }) => hostname === id);
  if (row < 0)
    return unknown(
      'host',
      id,
      hostInfo.map(({ hostname }) => hostname),
    );
  const kib = (hosts.memory[row] as number) * 1024;
  return load === 'cpu'
    ? { name: id, metric: 'host_cpu_usage', toPercent: 1 }
    : { name: id, metric: 'host_ram_usage', toPercent: kib > 0 ? 100 / kib : Number.NaN };
}

function instanceOf({ instanceInfo, instances }: ComputeSnapshot, request: LoadForecastRequest): Subject | RpcRefusal {
  const { id, load } = request;
  const row = instanceInfo.findIndex(({ uuid }) => uuid === id);
  const info = instanceInfo[row];
  if (!info)
    return unknown(
      'instance',
      id,
      instanceInfo.map(({ uuid }) => uuid),
    );
  const memory = instances.memory[row] as number;
  return load === 'cpu'
    ? { name: info.name, metric: 'instance_cpu_usage', toPercent: 1, vcpus: instances.vcpus[row] as number }
    : { name: info.name, metric: 'instance_ram_usage', toPercent: memory > 0 ? 100 / memory : Number.NaN };
}

function unknown(kind: 'host' | 'instance', id: string, known: readonly string[]): RpcRefusal {
  const hint = nearestHint(id, known);
  return refuse(`${kind}_not_found`, `there is no ${kind} ${id}${hint}`);
}

function responseOf(
  { kind, id, load, full_at: fullAt }: LoadForecastRequest,
  name: string,
  { forecast, busy }: { forecast: SeriesForecast; busy: number },
  clock: Clock,
): LoadForecastResponse {
  const { backtest, trend, season } = forecast;
  return {
    ...{ kind, id, name, load, at: new Date(clock.now()).toISOString() },
    last_value: rounded(forecast.last ?? undefined),
    history_days: forecast.days,
    history_hours: forecast.measuredHours,
    season,
    verdict: verdictText(forecast),
    backtest: {
      verdict: backtest.verdict,
      season: backtest.season,
      comparisons: backtest.tried,
      error: rounded2(backtest.error),
      last_value_error: rounded2(backtest.lastValueError),
      coverage: rounded2(backtest.coverage),
    },
    trend: trendBody(trend),
    busy: Number.isNaN(busy) ? null : rounded2(busy),
    full_at: fullAt,
    full: fullBody(daysUntilFull(busy, fullAt, trend), `${fullAt} %`),
    hours: forecast.hours.map((hour) => ({
      from: new Date(hour.fromMs).toISOString(),
      low: rounded2(hour.low),
      expected: rounded2(hour.middle),
      high: rounded2(hour.high),
      samples: hour.samples,
      text: expectationText(hour, season),
    })),
  };
}
