import type { Clock } from '#libs/domain';
import { createSemaphore } from '#libs/service-kit';
import { HistoryRefusedError } from '../history-port.ts';
import { itemsOf, type JsonHttp, objectOf, textOf } from '../http/json-http.ts';
import type { HistoryWindow } from '../window.ts';
import { createDividedAggregates, type ResourceChoice } from './divided-aggregates.ts';
import { createGnocchiLists, namesOf } from './gnocchi-lists.ts';
import type { GnocchiMetric } from './gnocchi-metric.ts';
import type { Measure } from './measures.ts';

/** Current target: the base URL and headers with credentials. */
export interface GnocchiPlace {
  base: string;
  headers: Record<string, string>;
}

/** The used calls of the API of Gnocchi. They throw as `JsonHttp.request` does. */
export interface GnocchiApi {
  /** Measures of every resource that has the metric, by the resource's original id, in as few requests as possible. */
  ofAll(metric: GnocchiMetric, aggregation: string, window: HistoryWindow): Promise<Map<string, Measure[]>>;
  /** As `ofAll`, of these resources only, by their uuids in Gnocchi. Null when Gnocchi refuses them together. */
  ofSome(
    ids: readonly string[],
    metric: GnocchiMetric,
    aggregation: string,
    window: HistoryWindow,
  ): Promise<Map<string, Measure[]> | null>;
  /**
   * Greatest measure of all resources, or of these, around the window. Infinity when Gnocchi cannot compute it, and
   * -Infinity without measures.
   * @param ids uuids in Gnocchi. Default: all resources
   */
  greatest(metric: GnocchiMetric, aggregation: string, window: HistoryWindow, ids?: readonly string[]): Promise<number>;
  /** Whether any resource has the metric. */
  exists(metric: string): Promise<boolean>;
  /** Measures of one resource. Empty when it does not exist. */
  ofOne(resourceId: string, metric: GnocchiMetric, aggregation: string, window: HistoryWindow): Promise<Measure[]>;
  probe(): Promise<void>;
}

/** Parallel requests when resources are queried separately. */
const concurrency = 16;
/** Granules that start before the window overlap it. The one before them shows the distance between samples. */
const historyMs = 900_000;

/** @param place is called before each request, because tokens change. */
export function createGnocchiApi(
  http: JsonHttp,
  source: string,
  place: () => Promise<GnocchiPlace>,
  clock: Clock,
): GnocchiApi {
  const divided = createDividedAggregates(clock);

  async function call(path: string, query: [string, string][], body?: unknown): Promise<unknown> {
    const { base, headers } = await place();
    return await http.request({ url: `${base}/v1/${path}`, query, headers, body });
  }

  const { pagesOf, resourcesWith } = createGnocchiLists(call);

  async function aggregates(metric: GnocchiMetric, aggregation: string, window: HistoryWindow, choice: ResourceChoice) {
    const operations = ['metric', [metric.metric, aggregation]];
    const body = { resource_type: metric.resourceType, search: searchOf(choice), operations };
    const response = objectOf(await call('aggregates', [...range(window), ['details', 'true']], body));
    const names = new Map(itemsOf(response?.references).map((item) => namesOf(item)));
    const found = new Map<string, Measure[]>();
    for (const [id, metrics] of Object.entries(objectOf(response?.measures) ?? {})) {
      const ofMetric = objectOf(objectOf(metrics)?.[metric.metric]);
      found.set(names.get(id) ?? id, itemsOf(ofMetric?.[aggregation]).flatMap(measureOf));
    }
    return found;
  }

  /** The greatest measures of the chosen resources, as one series. */
  async function greatestOf(metric: GnocchiMetric, aggregation: string, window: HistoryWindow, choice: ResourceChoice) {
    const operations = ['aggregate', 'max', ['metric', [metric.metric, aggregation]]];
    const body = { resource_type: metric.resourceType, search: searchOf(choice), operations };
    const response = objectOf(await call('aggregates', [...range(window), ['fill', 'dropna']], body));
    const measures = itemsOf(objectOf(response?.measures)?.aggregated).flatMap(measureOf);
    return new Map([[JSON.stringify(choice), measures.map(({ value }) => value)]]);
  }

  /** The calls for the parts of all resources. */
  const inDivision = <Values>(
    metric: GnocchiMetric,
    aggregation: string,
    read: (choice: ResourceChoice) => Promise<Map<string, Values>>,
  ) =>
    divided<Values>(metric, aggregation, {
      aggregates: read,
      metricPages: () => pagesOf('metric', [['name', metric.metric]]),
      resourceIds: async () => (await resourcesWith(metric)).map(({ id }) => id),
    });

  async function oneByOne(metric: GnocchiMetric, aggregation: string, window: HistoryWindow) {
    const found = new Map<string, Measure[]>();
    const places = createSemaphore(concurrency);
    await Promise.all(
      (await resourcesWith(metric)).map(({ name, metricId }) =>
        places.run(async () => {
          const query: [string, string][] = [...range(window), ['aggregation', aggregation]];
          const measures = await call(`metric/${metricId}/measures`, query).catch(noneWhenRefused);
          found.set(name, itemsOf(measures).flatMap(measureOf));
        }),
      ),
    );
    return found;
  }

  return {
    async ofAll(metric, aggregation, window) {
      try {
        return await inDivision(metric, aggregation, (choice) => aggregates(metric, aggregation, window, choice));
      } catch (error) {
        if (!(error instanceof HistoryRefusedError)) throw error;
        return await oneByOne(metric, aggregation, window);
      }
    },
    async ofSome(ids, metric, aggregation, window) {
      try {
        return await aggregates(metric, aggregation, window, { only: ids });
      } catch (error) {
        if (error instanceof HistoryRefusedError) return null;
        throw error;
      }
    },
    async greatest(metric, aggregation, window, ids) {
      const read = (choice: ResourceChoice) => greatestOf(metric, aggregation, window, choice);
      try {
        const parts = ids === undefined ? await inDivision(metric, aggregation, read) : await read({ only: ids });
        if (parts.size === 0) return Number.POSITIVE_INFINITY;
        return [...parts.values()].flat().reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
      } catch (error) {
        if (error instanceof HistoryRefusedError) return Number.POSITIVE_INFINITY;
        throw error;
      }
    },
    exists: async (metric) =>
      itemsOf(
        await call('metric', [
          ['name', metric],
          ['limit', '1'],
        ]),
      ).length > 0,
    async ofOne(resourceId, metric, aggregation, window) {
      const path = `resource/generic/${encodeURIComponent(resourceId)}/metric/${encodeURIComponent(metric.metric)}/measures`;
      const query: [string, string][] = [...range(window), ['aggregation', aggregation]];
      return itemsOf(await call(path, query).catch(noneWhenRefused)).flatMap(measureOf);
    },
    async probe() {
      if (!Array.isArray(await call('metric', [['limit', '1']]))) {
        throw new HistoryRefusedError(source, 'the response is not from Gnocchi; check the URL');
      }
    },
  };
}

/** The condition of a search for existing resources. */
function searchOf({ only, but }: ResourceChoice): Record<string, unknown> {
  const present = { '=': { ended_at: null } };
  const chosen = [
    ...(only === undefined ? [] : [{ in: { id: only } }]),
    ...(but === undefined || but.length === 0 ? [] : [{ not: { in: { id: but } } }]),
  ];
  return chosen.length === 0 ? present : { and: [present, ...chosen] };
}

function range(window: HistoryWindow): [string, string][] {
  return [
    ['start', new Date(window.startMs - historyMs).toISOString()],
    ['stop', new Date(window.endMs + 1).toISOString()],
  ];
}

/** A resource or metric without values: it was deleted, or lacks the aggregation. */
function noneWhenRefused(error: unknown): unknown[] {
  if (error instanceof HistoryRefusedError) return [];
  throw error;
}

function measureOf(triple: unknown): Measure[] {
  const [at, granularity, value] = itemsOf(triple);
  if (typeof granularity !== 'number' || typeof value !== 'number' || typeof at !== 'string') return [];
  const time = Date.parse(at);
  return Number.isNaN(time) ? [] : [{ at: time, granularity, value }];
}

/** The text of an error body, `{code, title, description}`. */
export function gnocchiFault(body: unknown): string | undefined {
  const { description, title, error } = objectOf(body) ?? {};
  const said = objectOf(description);
  if (said === null) return textOf(description) || textOf(title) || textOf(objectOf(error)?.message) || undefined;
  return (
    [said.cause, said.reason]
      .map(textOf)
      .filter((part) => part !== '')
      .join(': ') || undefined
  );
}
