import { type Clock, type MetricName, metricCatalogue } from '#libs/domain';
import type { HistoryReader } from '#libs/history';
import {
  type HistorySpreadRequest,
  type HistorySpreadResponse,
  historySpreadLimits,
  historyWindowFault,
  type RpcRefusal,
  refuse,
  refuseBecause,
} from '#libs/messaging';
import { createRecentMap, createSemaphore } from '#libs/service-kit';
import { spreadOf } from '../model/host-summaries.ts';

/** Concurrent queries of the data source. */
const parallel = 4;
/** Number of cached points: a few charts of some hours. */
const keptPoints = 2000;
/** Longest delay of samples of a step. Later steps are read again and have no separate point. */
const settleMs = 120_000;

type Spread = ReturnType<typeof spreadOf>;

/**
 * Creates the handler of `history.spread`. Each point is one grouped query of the data source. Final points are
 * cached, so a chart that advances needs one query a step.
 */
export function createSpreadReader({ history, clock }: { history: HistoryReader; clock: Clock }) {
  const kept = createRecentMap<string, Promise<Spread>>(keptPoints);
  const slots = createSemaphore(parallel);

  function pointAt(metric: MetricName, endSeconds: number, step: number): Promise<Spread> {
    const key = `${metric} ${step} ${endSeconds}`;
    const known = kept.get(key);
    if (known) return known;
    const reading = readPoint(metric, endSeconds * 1000, step);
    kept.set(key, reading);
    const forget = () => void kept.delete(key);
    if (endSeconds * 1000 + settleMs > clock.now()) reading.finally(forget).catch(() => undefined);
    else reading.catch(forget);
    return reading;
  }

  function readPoint(metric: MetricName, endMs: number, periodSeconds: number): Promise<Spread> {
    return slots.run(async () => {
      const values = await history.aggregate({ metric, aggregate: 'mean', periodSeconds, endMs });
      return spreadOf([...values.values()]);
    });
  }

  return async (request: HistorySpreadRequest): Promise<HistorySpreadResponse | RpcRefusal> => {
    const { metric, start, end, step } = request;
    const fault = historyWindowFault(request, historySpreadLimits);
    if (fault) return refuse('invalid_input', fault);
    if (!Object.hasOwn(metricCatalogue, metric)) return refuse('invalid_input', `metric: ${metric} is not known`);
    const ends = endsBetween(start, Math.min(end, Math.floor(clock.now() / 1000)), step);
    try {
      const points = await Promise.all(ends.map((at) => pointAt(metric, at, step)));
      return responseOf(metric, step, ends, points);
    } catch (error) {
      return refuseBecause(error, 'history_not_available');
    }
  };
}

/** Multiples of `step` after `start` and up to `end`. Includes `end` when the last multiple is long before it. */
function endsBetween(start: number, end: number, step: number): number[] {
  const first = (Math.floor(start / step) + 1) * step;
  const count = Math.max(0, Math.floor((end - first) / step) + 1);
  const ends = Array.from({ length: count }, (_, index) => first + index * step);
  const last = ends.at(-1) ?? start;
  return end - last < settleMs / 1000 ? ends : [...ends, end];
}

function responseOf(metric: MetricName, step: number, ends: number[], points: Spread[]): HistorySpreadResponse {
  const measured = ends.flatMap((at, index) => {
    const point = points[index];
    return point ? [{ at, ...point }] : [];
  });
  return {
    metric,
    unit: metricCatalogue[metric].unit,
    step,
    at: measured.map(({ at }) => at),
    mean: measured.map(({ mean }) => mean),
    deviation: measured.map(({ deviation }) => deviation),
    min: measured.map(({ min }) => min),
    max: measured.map(({ max }) => max),
    count: measured.map(({ hosts }) => hosts),
  };
}
