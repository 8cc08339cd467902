import { type MetricName, metricCatalogue } from '#libs/domain';
import type { HistoryReader } from '#libs/history';
import {
  type HistorySeriesRequest,
  type HistorySeriesResponse,
  historySeriesLimits,
  historyWindowFault,
  type MetricSeries,
  type RpcRefusal,
  refuse,
  refuseBecause,
} from '#libs/messaging';
import type { ModelKeeper } from '../model/model-keeper.ts';

const maxMetrics = 8;

/** Returns `history.series`. A metric without samples has no points. */
export async function readSeries(
  request: HistorySeriesRequest,
  { history, model }: { history: HistoryReader; model: ModelKeeper },
): Promise<HistorySeriesResponse | RpcRefusal> {
  const { resource, metrics, start, end, step } = request;
  const fault = historyWindowFault(request, historySeriesLimits) ?? checkMetrics(metrics);
  if (fault) return refuse('invalid_input', fault);
  const vcpus = vcpusOf(model, resource);
  try {
    const series = await Promise.all(
      metrics.map(async (metric): Promise<MetricSeries> => {
        const window = { startMs: start * 1000, endMs: end * 1000, stepSeconds: step };
        const points = await history.series({ metric, resource, ...window, vcpus });
        return {
          metric,
          unit: metricCatalogue[metric].unit,
          at: points.map(({ at }) => Math.round(at / 1000)),
          values: points.map(({ value }) => Math.round(value * 100) / 100),
        };
      }),
    );
    return { resource, start, end, step, series };
  } catch (error) {
    return refuseBecause(error, 'history_not_available');
  }
}

function checkMetrics(metrics: readonly MetricName[]): string | null {
  if (metrics.length < 1 || metrics.length > maxMetrics) return `metrics: between 1 and ${maxMetrics}`;
  const unknown = metrics.find((metric) => !Object.hasOwn(metricCatalogue, metric));
  return unknown === undefined ? null : `metrics: ${unknown} is not known`;
}

/** Virtual CPUs of an instance. Data sources that store CPU time need them. */
function vcpusOf(model: ModelKeeper, resource: string): number | undefined {
  const snapshot = model.latest();
  const row = snapshot?.instanceInfo.findIndex(({ uuid }) => uuid === resource) ?? -1;
  return row < 0 ? undefined : snapshot?.instances.vcpus[row];
}
