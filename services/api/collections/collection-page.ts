import type { FastifyRequest } from 'fastify';
import { NotFoundError } from '#libs/domain';
import type { Filter, ListQuery } from '#libs/store';
import { badRequest, invalidField } from '../http/faults/fault.ts';
import type { EntityReader } from './find-entity.ts';
import {
  intArgument,
  type QueryArguments,
  queryArguments,
  requireUuid,
  showDeleted,
  textArgument,
  uuidArgument,
} from './query-arguments.ts';

/** How one collection is listed. */
export interface CollectionRules<View> {
  /** Path segment, such as `audit_templates`. */
  name: string;
  /** Name in fault texts, such as `AuditTemplate`. */
  entity: string;
  /** API names of sort keys, and their view fields. */
  sortKeys: Readonly<Record<string, keyof View & string>>;
  /** Query arguments in addition to the common ones. */
  filterArguments: readonly string[];
  /** Those of them that must be uuids. */
  uuidArguments?: readonly string[];
  /** Refuses combinations of arguments. */
  checkArguments?: (query: QueryArguments) => void;
  markerForm: 'text' | 'uuid' | 'int';
}

/** Subject of a list. */
export interface Listed<View> {
  rules: CollectionRules<View>;
  reader: EntityReader<View>;
  /** Conditions for the filter arguments. */
  filters?: (query: QueryArguments) => Promise<Filter<View>[]>;
}

/** A validated request for a page. */
export interface PageRequest<View> {
  query: ListQuery<View>;
  /** Rows on a full page. */
  limit: number;
  sortKey: string;
  sortDir: 'asc' | 'desc';
  /** Filter arguments as sent, to be repeated in `next`. */
  filters: [string, string][];
  detail: boolean;
}

const commonArguments = ['limit', 'marker', 'sort_key', 'sort_dir'];

/** The parsed arguments of a list request. */
export interface ListArguments {
  query: QueryArguments;
  marker: string | undefined;
  limit: number | undefined;
}

/**
 * Parses the arguments of a list request. `readPageRequest` checks their meaning after the policy.
 * @throws ApiFault 400 for unknown arguments and malformed values.
 */
export function readListArguments<View>(request: FastifyRequest, rules: CollectionRules<View>): ListArguments {
  // Malformed values are refused before unknown arguments.
  const sent = request.query as QueryArguments;
  const marker = textArgument(sent, 'marker');
  const isAbsent = marker === undefined || (marker === '' && rules.markerForm === 'text');
  for (const name of rules.uuidArguments ?? []) uuidArgument(sent, name);
  const checked = isAbsent ? undefined : checkMarkerForm(rules, marker);
  const limit = intArgument(sent, 'limit');
  const query = queryArguments(request, [...commonArguments, ...rules.filterArguments]);
  return { query, marker: checked, limit };
}

/**
 * Checks a list request in Watcher's order: combinations that the resource refuses, sort key, filters, limit,
 * direction, marker.
 * @throws ApiFault 400, NotFoundError when the marker is not a row.
 */
export async function readPageRequest<View extends { id: number }>(
  request: FastifyRequest,
  given: ListArguments,
  resource: Listed<View>,
  options: { maxLimit: number; detail: boolean },
): Promise<PageRequest<View>> {
  const { query, marker } = given;
  const { rules, reader } = resource;
  rules.checkArguments?.(query);
  const sortKey = textArgument(query, 'sort_key') ?? 'id';
  const field = rules.sortKeys[sortKey];
  if (field === undefined || !Object.hasOwn(rules.sortKeys, sortKey)) throw badRequest(`Invalid sort key: ${sortKey}`);
  const filters = (await resource.filters?.(query)) ?? [];
  if (given.limit !== undefined && given.limit <= 0) throw badRequest('Limit must be positive');
  const limit = Math.min(given.limit ?? options.maxLimit, options.maxLimit);
  const sortDir = checkSortDir(textArgument(query, 'sort_dir') ?? 'asc');
  const deleted = showDeleted(request);
  if (marker !== undefined) await checkMarker(rules, reader, marker, deleted);
  return {
    query: { filters, sortKey: field, sortDir, limit, marker, showDeleted: deleted },
    limit,
    sortKey,
    sortDir,
    filters: rules.filterArguments.flatMap((name) => {
      const value = textArgument(query, name);
      return value === undefined ? [] : [[name, value] as [string, string]];
    }),
    detail: options.detail,
  };
}

function checkSortDir(text: string): 'asc' | 'desc' {
  if (text === 'asc' || text === 'desc') return text;
  throw badRequest(`Invalid sort direction: ${text}. Acceptable values are 'asc' or 'desc'`);
}

function checkMarkerForm<View>(rules: CollectionRules<View>, marker: string): string {
  if (rules.markerForm === 'uuid') return requireUuid('marker', marker);
  if (rules.markerForm === 'int' && !/^[+-]?\d+$/.test(marker)) {
    throw invalidField(
      'marker',
      marker,
      `unable to convert to int. Error: invalid literal for int() with base 10: '${marker}'`,
    );
  }
  return marker;
}

async function checkMarker<View extends { id: number }>(
  rules: CollectionRules<View>,
  reader: EntityReader<View>,
  marker: string,
  deleted: boolean,
): Promise<void> {
  if (rules.markerForm === 'int' && !Number.isSafeInteger(Number(marker)))
    throw new NotFoundError(rules.entity, marker);
  const found =
    rules.markerForm === 'int'
      ? (await reader.list({ filters: [{ field: 'id', value: Number(marker) }], limit: 1 }))[0]
      : await reader.find(marker, { showDeleted: deleted });
  if (!found) throw new NotFoundError(rules.entity, marker);
}

/** The body of a list response. `next` is present when the page is full. */
export function collectionBody<View>(
  host: string,
  rules: CollectionRules<View>,
  page: PageRequest<View>,
  entries: object[],
  lastIdent: string | number | undefined,
): Record<string, unknown> {
  const body: Record<string, unknown> = { [rules.name]: entries };
  if (lastIdent === undefined || entries.length !== page.limit) return body;
  const query = new URLSearchParams([
    ['sort_key', page.sortKey],
    ['sort_dir', page.sortDir],
    ['limit', String(page.limit)],
    ['marker', String(lastIdent)],
    ...page.filters,
  ]);
  body.next = `${host}/v1/${rules.name}${page.detail ? '/detail' : ''}?${query}`;
  return body;
}
