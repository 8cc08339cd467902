import type { CollectionEntries } from './entities.ts';
import { VigilApiError } from './errors.ts';
import type { Transport } from './transport.ts';

/** Selection of a list. Filters are query arguments such as `goal` or `audit_uuid`. Undefined ones are left out. */
export interface ListOptions {
  /** Entries at most. All when absent. */
  limit?: number;
  marker?: string;
  sortKey?: string;
  sortDir?: 'asc' | 'desc';
  filters?: Record<string, string | undefined>;
  signal?: AbortSignal;
}

/** Lists a collection with all fields, following `next` until `limit` entries are there. */
export async function listCollection<Name extends keyof CollectionEntries>(
  send: Transport,
  name: Name,
  options: ListOptions = {},
): Promise<CollectionEntries[Name][]> {
  const entries: CollectionEntries[Name][] = [];
  const { limit = Number.POSITIVE_INFINITY, signal } = options;
  let path: string | null = firstPath(name, options);
  while (path !== null && entries.length < limit) {
    const response = await send(path, { method: 'GET', signal });
    const body = (await response.json()) as Record<string, unknown>;
    if (!Array.isArray(body[name]))
      throw new VigilApiError('refused', 0, `the response to GET ${path} has no ${name}: is the URL that of Vigil?`);
    entries.push(...(body[name] as CollectionEntries[Name][]));
    path = typeof body.next === 'string' ? pathOf(body.next) : null;
  }
  return entries.slice(0, limit);
}

function firstPath(name: string, options: ListOptions): string {
  const { limit, marker, sortKey, sortDir, filters = {} } = options;
  const query = { limit, marker, sort_key: sortKey, sort_dir: sortDir, ...filters };
  const given = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)] as [string, string]],
  );
  const text = new URLSearchParams(given).toString();
  return `/v1/${name}/detail${text === '' ? '' : `?${text}`}`;
}

/** The part of `next` from `/v1` on. A client behind a proxy uses another address, and its URL has the mount prefix. */
function pathOf(next: string): string {
  const { pathname, search } = new URL(next);
  return `${pathname.slice(Math.max(0, pathname.indexOf('/v1/')))}${search}`;
}
