import { type Clock, type ImpossibleValues, type Logger, type MetricName, metricCatalogue } from '#libs/domain';
import { above } from './catalogue-unit.ts';
import type { AggregateQuery, HistoryReader, MetricResponse, SeriesPoint } from './history-port.ts';
import { HistoryRefusedError } from './history-port.ts';
import type { HistoryMetrics } from './observed-call.ts';
import { needsSamples, ofSamples } from './of-samples.ts';
import { windowOf } from './window.ts';

/** Maximum number of resources whose other samples are read separately. Further resources have no value. */
const readAgainAtMost = 20;
/** Spacing of these samples if the query gives none. Seconds. */
const usualStepSeconds = 60;
const examplesAtMost = 10;

interface Options {
  clock: Clock;
  logger: Logger;
  metrics?: HistoryMetrics;
}

const isPossible = (metric: MetricName, value: number) => value <= metricCatalogue[metric].most;

/**
 * A reader for which samples above the cap of their metric are missing, for every source. It also queries the
 * maxima above the cap, or all maxima of a source without such a query. For an impossible one, it computes the
 * aggregate from the other samples, at the spacing of the query (default: a minute). Counts stay unchanged. A
 * resource with several names is read and counted once.
 */
export function withoutImpossible(reader: HistoryReader, { clock, logger, metrics }: Options): HistoryReader {
  const read = async (query: AggregateQuery): Promise<Omit<MetricResponse, 'source' | 'passedOver'>> =>
    (await reader.aggregateFrom?.(query)) ?? { values: await reader.aggregate(query) };

  /** Resources with impossible samples in the window, and the greatest sample of each. `reading`: the query itself. */
  async function impossibleIn(query: AggregateQuery, reading: ReturnType<typeof read>): Promise<Map<string, number>> {
    const { most } = metricCatalogue[query.metric];
    if (query.aggregate !== 'max' && reader.maximaAbove !== undefined) return reader.maximaAbove(query, most);
    const maxima = query.aggregate === 'max' ? reading : read({ ...query, aggregate: 'max' });
    const { values, aliases } = await maxima;
    return new Map([...above(values, most)].filter(([name]) => !aliases?.has(name)));
  }

  /** None when the source refuses maxima. */
  const impossibleOrNone = (query: AggregateQuery, reading: ReturnType<typeof read>) =>
    impossibleIn(query, reading).catch((error: unknown) => {
      if (error instanceof HistoryRefusedError) return new Map<string, number>();
      throw error;
    });

  async function fromOthers(query: AggregateQuery, resource: string): Promise<number | undefined> {
    const { startMs, endMs } = windowOf(query, clock);
    const points = await reader.series({
      ...{ metric: query.metric, resource, startMs: startMs + 1, endMs: endMs + 1 },
      stepSeconds: Math.max(1, Math.round(query.granularitySeconds ?? usualStepSeconds)),
      vcpus: query.vcpus?.get(resource),
    });
    return aggregateOf(
      points.filter(({ value }) => isPossible(query.metric, value)),
      query.aggregate,
    );
  }

  async function aggregateFrom(query: AggregateQuery): Promise<MetricResponse> {
    const reading = read(query);
    const [{ aliases, ...result }, found] = await Promise.all([
      reading,
      query.aggregate === 'count' ? new Map<string, number>() : impossibleOrNone(query, reading),
    ]);
    const response = { source: reader.name, passedOver: [], ...result };
    if (found.size === 0) return response;
    const names = [...found.keys()].sort();
    const again = names.slice(0, readAgainAtMost);
    const computed = new Map(
      await Promise.all(again.map(async (name) => [name, await fromOthers(query, name)] as const)),
    );
    const values = new Map<string, number>();
    for (const name of new Set([...result.values.keys(), ...again])) {
      const stored = aliases?.get(name) ?? name;
      const value = found.has(stored) ? computed.get(stored) : result.values.get(name);
      if (value !== undefined) values.set(name, value);
    }
    return { ...response, values, impossible: report(query.metric, names, found) };
  }

  function report(metric: MetricName, names: readonly string[], found: ReadonlyMap<string, number>): ImpossibleValues {
    const greatest = Math.max(...found.values());
    const examples = names.slice(0, examplesAtMost);
    metrics?.impossible?.({ source: reader.name, metric, resources: found.size });
    logger.warn(
      { source: reader.name, metric, resources: found.size, greatest, examples },
      'impossible values left out',
    );
    return { resources: found.size, greatest, examples };
  }

  return {
    ...reader,
    aggregateFrom,
    aggregate: async (query) => (await aggregateFrom(query)).values,
    series: async (query) => (await reader.series(query)).filter(({ value }) => isPossible(query.metric, value)),
  };
}

function aggregateOf(points: readonly SeriesPoint[], aggregate: AggregateQuery['aggregate']): number | undefined {
  if (points.length === 0) return undefined;
  if (needsSamples(aggregate)) return ofSamples(points, aggregate);
  const values = points.map(({ value }) => value);
  if (aggregate === 'min') return Math.min(...values);
  if (aggregate === 'max') return Math.max(...values);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
