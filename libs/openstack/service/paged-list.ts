import { OpenStackError } from '../errors.ts';
import type { FieldReader } from '../http/field-reader.ts';
import type { ServiceCall, ServiceClient } from './service-client.ts';

/** Nova's and Cinder's usual maximum of a page. */
export const defaultPageSize = 1000;

/** How often a listing restarts because the marker element of a page was deleted. */
const restarts = 3;

/** The unique key of an element. */
const usualKey = 'id';

/** A listed collection. */
type PagedCall = Omit<ServiceCall, 'method'> & {
  /** Its key in the response. */
  key: string;
  pageSize?: number | undefined;
  /** The unique key of an element. It is also the marker when a link has none. Default `id`. */
  idKey?: string;
  /** Called after each page. */
  onPage?: (() => void) | undefined;
};

/**
 * All elements of a collection that is paged by `limit` and `marker`, following the `<key>_links` of each response. The
 * server may return shorter pages than requested. Elements that appear twice, as when the collection changed, are
 * listed once. An empty collection is read again where the catalogue has a new endpoint of the service. Each page is
 * parsed before the next one, because a raw page takes several times the memory of its elements.
 */
export async function readAllPages<Element>(
  client: ServiceClient,
  call: PagedCall,
  parse: (fields: FieldReader) => Element,
): Promise<Element[]> {
  for (let restart = 0; ; restart += 1) {
    try {
      const found = await readOnce(client, call, parse);
      if (found.length > 0 || !(await client.hasMoved(call.options))) return found;
      return await readOnce(client, call, parse);
    } catch (error) {
      if (!isLostMarker(error) || restart === restarts) throw error;
    }
  }
}

/** One element by its path, whose response has it under `key`. Null when there is none. */
export async function readElement<Element>(
  client: ServiceClient,
  { key, ...call }: Omit<ServiceCall, 'method'> & { key: string },
  parse: (fields: FieldReader) => Element,
): Promise<Element | null> {
  const response = await client.find({ ...call, method: 'GET' });
  return response === null ? null : parse(response.object(key));
}

async function readOnce<Element>(
  client: ServiceClient,
  { idKey = usualKey, onPage, ...call }: PagedCall,
  parse: (fields: FieldReader) => Element,
): Promise<Element[]> {
  const found = new Map<string, Element>();
  const limit = String(call.pageSize ?? defaultPageSize);
  let marker: string | null = null;
  do {
    const query: ServiceCall['query'] = { ...call.query, limit, ...(marker === null ? {} : { marker }) };
    const page = await client.read({ ...call, method: 'GET', query });
    const before = found.size;
    const elements = page.list(call.key);
    for (const element of elements) found.set(element.text(idKey), parse(element));
    onPage?.();
    const grew = found.size > before;
    marker = grew ? nextMarker(page, { key: call.key, idKey }, elements) : null;
  } while (marker !== null);
  return [...found.values()];
}

function nextMarker(
  page: FieldReader,
  { key, idKey }: { key: string; idKey: string },
  elements: FieldReader[],
): string | null {
  const next = page.listOr(`${key}_links`).find((link) => link.optionalText('rel') === 'next');
  if (next === undefined) return null;
  const marker = new URL(next.text('href'), 'http://link.invalid').searchParams.get('marker');
  return marker ?? elements.at(-1)?.text(idKey) ?? null;
}

function isLostMarker(error: unknown): boolean {
  if (!(error instanceof OpenStackError)) return false;
  // Neutron reports the element itself as missing.
  const isMissing = error.status === 404 && error.service === 'network' && /could not be found/i.test(error.message);
  return isMissing || (error.status === 400 && /marker/i.test(error.message));
}
