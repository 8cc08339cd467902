import { HistoryRefusedError, HistoryUnavailableError, type SeriesPoint } from '../history-port.ts';
import { itemsOf, type JsonHttp, objectOf, textOf } from '../http/json-http.ts';

/** Current target: the base URL and headers with credentials. */
export interface PrometheusPlace {
  base: string;
  headers: Record<string, string>;
}

/** The used calls of the Prometheus HTTP API. They throw as `JsonHttp.request` does. */
export interface PrometheusApi {
  /** Value by `label` at a moment. */
  instant(promql: string, atMs: number, label: string): Promise<Map<string, number>>;
  /** Series by `label` over a range, one point per step. Times are those of the evaluation. */
  range(
    promql: string,
    range: { startMs: number; endMs: number; stepMs: number },
    label: string,
  ): Promise<Map<string, SeriesPoint[]>>;
  /** Names of series that match any of the selectors. */
  names(selectors: string[], range: { startMs: number; endMs: number }): Promise<string[]>;
}

const seconds = (ms: number) => (ms / 1000).toFixed(3);

/** @param place is called before each request, because tokens change. */
export function createPrometheusApi(
  http: JsonHttp,
  source: string,
  place: () => Promise<PrometheusPlace>,
): PrometheusApi {
  async function call(path: string, query: [string, string][]): Promise<unknown> {
    const { base, headers } = await place();
    const body = objectOf(await http.request({ url: `${base}/api/v1/${path}`, query, headers }));
    if (body?.status === 'success') return body.data;
    const words = textOf(body?.error);
    if (words !== '') throw new HistoryRefusedError(source, words);
    throw new HistoryUnavailableError(source, 'the response is not from Prometheus; check the URL');
  }

  async function result(path: string, query: [string, string][]): Promise<Record<string, unknown>[]> {
    const data = objectOf(await call(path, query));
    return itemsOf(data?.result).flatMap((item) => {
      const row = objectOf(item);
      return row === null ? [] : [row];
    });
  }

  return {
    async instant(promql, atMs, label) {
      const values = new Map<string, number>();
      const rows = await result('query', [
        ['query', promql],
        ['time', seconds(atMs)],
      ]);
      for (const row of rows) {
        const resource = textOf(objectOf(row.metric)?.[label]);
        const point = pointOf(row.value);
        if (resource !== '' && point !== null) values.set(resource, point.value);
      }
      return values;
    },
    async range(promql, { startMs, endMs, stepMs }, label) {
      const rows = await result('query_range', [
        ['query', promql],
        ['start', seconds(startMs)],
        ['end', seconds(endMs)],
        ['step', seconds(stepMs)],
      ]);
      return new Map(
        rows.map((row) => [
          textOf(objectOf(row.metric)?.[label]),
          itemsOf(row.values).flatMap((pair) => pointOf(pair) ?? []),
        ]),
      );
    },
    async names(selectors, { startMs, endMs }) {
      const data = await call('label/__name__/values', [
        ...selectors.map((one): [string, string] => ['match[]', one]),
        ['start', seconds(startMs)],
        ['end', seconds(endMs)],
      ]);
      return itemsOf(data).map(textOf);
    },
  };
}

function pointOf(pair: unknown): SeriesPoint | null {
  const [at, value] = itemsOf(pair);
  if (typeof at !== 'number' || typeof value !== 'string') return null;
  const number = value === '' ? Number.NaN : Number(value);
  return { at: Math.round(at * 1000), value: number };
}

/** The text of an error body, `{status, errorType, error}`. */
export function prometheusFault(body: unknown): string | undefined {
  return textOf(objectOf(body)?.error) || textOf(objectOf(objectOf(body)?.error)?.message) || undefined;
}
