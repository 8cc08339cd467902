import { itemsOf, objectOf, textOf } from '../http/json-http.ts';
import type { GnocchiMetric } from './gnocchi-metric.ts';

/** Calls a path of the API with a query and, for searches, a body. */
export type GnocchiCall = (path: string, query: [string, string][], body?: unknown) => Promise<unknown>;

/** The lists of Gnocchi's API, read page by page. */
export interface GnocchiLists {
  /** All pages of a list. */
  pagesOf(path: string, filter: [string, string][], body?: unknown): AsyncGenerator<unknown[]>;
  /** Existing resources with the metric. */
  resourcesWith(metric: GnocchiMetric): Promise<{ id: string; name: string; metricId: string }[]>;
}

const pageSize = 1000;

/** Makes the lists of a Gnocchi. */
export function createGnocchiLists(call: GnocchiCall): GnocchiLists {
  async function resourcesWith(metric: GnocchiMetric): Promise<{ id: string; name: string; metricId: string }[]> {
    const found: { id: string; name: string; metricId: string }[] = [];
    const search = { '=': { ended_at: null } };
    for await (const page of pagesOf(`search/resource/${metric.resourceType}`, [], search)) {
      for (const item of page) {
        const metricId = textOf(objectOf(objectOf(item)?.metrics)?.[metric.metric]);
        const [id, name] = namesOf(item);
        if (metricId !== '') found.push({ id, name, metricId });
      }
    }
    return found;
  }

  async function* pagesOf(path: string, filter: [string, string][], body?: unknown): AsyncGenerator<unknown[]> {
    let marker = '';
    do {
      const query: [string, string][] = [...filter, ['limit', String(pageSize)]];
      if (marker !== '') query.push(['marker', marker]);
      const page = itemsOf(await call(path, query, body));
      yield page;
      marker = page.length < pageSize ? '' : namesOf(page.at(-1))[0];
    } while (marker !== '');
  }

  return { pagesOf, resourcesWith };
}

/** Id of a resource, and the name that its creator gave it. */
export function namesOf(resource: unknown): [string, string] {
  const fields = objectOf(resource);
  const id = textOf(fields?.id);
  return [id, textOf(fields?.original_resource_id) || id];
}
