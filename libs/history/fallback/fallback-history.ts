import { InvalidInputError, type Logger, type MetricName, messageOf, metricCatalogue } from '#libs/domain';
import {
  type AggregateQuery,
  type HistoryReader,
  HistoryRefusedError,
  HistoryUnavailableError,
  type MetricResponse,
  type SourceDescription,
} from '../history-port.ts';
import type { GuardedSource } from './guarded-source.ts';

/** A skipped source, with the reason. `failed`: it failed, and did not just lack values. */
interface PassedOver {
  name: string;
  reason: string;
  failed: boolean;
  /** It refused the request, so a retry cannot succeed. */
  refused?: boolean;
}

type Served<T> = { result: T; source: GuardedSource; passedOver: PassedOver[] };

/**
 * Combines several sources. All values of a metric come from the first source that has values of it, so a resource that
 * this source lacks is missing. If no source has values, the result is empty when all were available. @throws
 * HistoryUnavailableError with the reason of each source, if one was unavailable @throws HistoryRefusedError when the
 * failed sources refused the request
 */
export function createFallbackHistory(sources: readonly GuardedSource[], logger: Logger): HistoryReader {
  async function firstWith<T>(
    metric: MetricName,
    read: (source: GuardedSource) => Promise<T>,
    isEmpty: (result: T) => boolean,
  ): Promise<Served<T> | PassedOver[]> {
    const passedOver: PassedOver[] = [];
    for (const source of sources) {
      const { name } = source;
      if (!namesOf(source).has(metric)) {
        passedOver.push({ name, reason: `has no mapping of ${metric}`, failed: false });
        continue;
      }
      try {
        const result = await read(source);
        if (!isEmpty(result)) return { result, source, passedOver };
        passedOver.push({ name, reason: `has no values of ${metric}`, failed: false });
      } catch (error) {
        passedOver.push(failureOf(name, error));
        if (sources.length > 1) logger.warn({ source: name, metric, err: error }, 'no response from data source');
      }
    }
    return passedOver;
  }

  function refuseFailures(passedOver: PassedOver[]): void {
    const failures = passedOver.filter(({ failed }) => failed);
    if (failures.length === 0) return;
    const Fault = failures.every(({ refused }) => refused) ? HistoryRefusedError : HistoryUnavailableError;
    throw new Fault(nameOf(sources), textsOf(passedOver).join('; '));
  }

  async function aggregateFrom(query: AggregateQuery): Promise<MetricResponse> {
    const served = await firstWith(
      query.metric,
      (source) => queryOne(source, query),
      ({ values }) => values.size === 0,
    );
    if (!Array.isArray(served)) {
      return { ...served.result, source: served.source.name, passedOver: textsOf(served.passedOver) };
    }
    refuseFailures(served);
    return { values: new Map(), source: null, passedOver: textsOf(served) };
  }

  return {
    name: nameOf(sources),
    aggregateFrom,
    aggregate: async (query) => (await aggregateFrom(query)).values,
    async series(query) {
      const served = await firstWith(
        query.metric,
        (source) => source.series(query),
        (points) => points.length === 0,
      );
      if (!Array.isArray(served)) return served.result;
      refuseFailures(served);
      return [];
    },
    async listMetrics() {
      const lists = await Promise.allSettled(sources.map((source) => source.listMetrics()));
      const known = new Set(lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : [])));
      const faults = lists.flatMap((list) => (list.status === 'rejected' ? [messageOf(list.reason)] : []));
      if (faults.length === sources.length) throw new HistoryUnavailableError(nameOf(sources), faults.join('; '));
      return catalogueNames().filter((metric) => known.has(metric));
    },
    realNames: () => new Map([...sources].reverse().flatMap((source) => [...namesOf(source)])),
    describe: () => Promise.all(sources.map(describeSource)),
    async probe() {
      const probes = await Promise.allSettled(sources.map((source) => source.probe()));
      const faults = probes.flatMap((probe) => (probe.status === 'rejected' ? [messageOf(probe.reason)] : []));
      if (faults.length === sources.length) throw new HistoryUnavailableError(nameOf(sources), faults.join('; '));
    },
    async close() {
      await Promise.all(sources.map((source) => source.close()));
    },
  };
}

async function queryOne(
  source: HistoryReader,
  query: AggregateQuery,
): Promise<Pick<MetricResponse, 'values' | 'late' | 'impossible'>> {
  return source.aggregateFrom ? await source.aggregateFrom(query) : { values: await source.aggregate(query) };
}

/** @throws an error about invalid input: no other source would accept the request. */
function failureOf(name: string, error: unknown): PassedOver {
  if (error instanceof InvalidInputError) throw error;
  return { name, reason: messageOf(error), failed: true, refused: error instanceof HistoryRefusedError };
}

async function describeSource(source: GuardedSource): Promise<SourceDescription> {
  const [probe, list] = await Promise.allSettled([source.probe(), source.listMetrics()]);
  const known = new Set(list.status === 'fulfilled' ? list.value : []);
  return {
    name: source.name,
    available: probe.status === 'fulfilled',
    reason: probe.status === 'rejected' ? messageOf(probe.reason) : null,
    metrics: [...namesOf(source)].map(([metric, realName]) => ({ metric, realName, available: known.has(metric) })),
  };
}

function namesOf(source: HistoryReader): ReadonlyMap<MetricName, string> {
  return source.realNames?.() ?? new Map(catalogueNames().map((metric) => [metric, metric]));
}

function catalogueNames(): MetricName[] {
  return Object.keys(metricCatalogue) as MetricName[];
}

function nameOf(sources: readonly HistoryReader[]): string {
  return sources.map(({ name }) => name).join(', ');
}

function textsOf(passedOver: readonly PassedOver[]): string[] {
  return passedOver.map(({ name, reason }) => (reason.includes(name) ? reason : `${name}: ${reason}`));
}
