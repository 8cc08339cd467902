import type { FastifyRequest } from 'fastify';
import { badRequest, invalidField } from '../http/faults/fault.ts';
import { canonicalUuid } from '../http/faults/notation.ts';

const lastPage = 1_000_000;

/** Query arguments by name, as sent. */
export type QueryArguments = Record<string, string | string[]>;

/**
 * The query arguments of a request.
 * @throws ApiFault 400 when one is not in `allowed`.
 */
export function queryArguments(request: FastifyRequest, allowed: readonly string[] = []): QueryArguments {
  const query = request.query as QueryArguments;
  const unknown = Object.keys(query).filter((name) => !allowed.includes(name));
  if (unknown.length > 0) throw badRequest(`Unknown argument: "${unknown.join(', ')}"`);
  return query;
}

/** A text argument. The last one when it is repeated, undefined when it is absent. */
export function textArgument(query: QueryArguments, name: string): string | undefined {
  const value = query[name];
  return Array.isArray(value) ? value.at(-1) : value;
}

/** An integer argument. */
export function intArgument(query: QueryArguments, name: string): number | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value)) return Number(value);
  const shown = Array.isArray(value) ? `[${value.join(', ')}]` : value;
  throw invalidField(
    name,
    value,
    `unable to convert to int. Error: invalid literal for int() with base 10: '${shown}'`,
  );
}

const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/i;
const dayPattern = /^\d{4}-\d\d-\d\d$/;

/**
 * A moment, ISO 8601 with offset, in milliseconds since 1970. Undefined when it is absent.
 * @param takesDays also a day, for its start in UTC
 * @throws ApiFault 400 with the example
 */
export function momentArgument(
  query: QueryArguments,
  name: string,
  { example, takesDays = false }: { example: string; takesDays?: boolean },
): number | undefined {
  const given = textArgument(query, name);
  if (given === undefined) return undefined;
  const isMoment = momentPattern.test(given) || (takesDays && dayPattern.test(given));
  const at = isMoment ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw invalidField(name, given.slice(0, 80), `A time in ISO 8601 with offset is needed, such as ${example}.`);
}

/** The argument `limit`, capped at the maximum. `byDefault` when it is absent. @throws ApiFault 400 below 1. */
export function limitArgument(query: QueryArguments, byDefault: number, most: number): number {
  const limit = intArgument(query, 'limit') ?? byDefault;
  if (limit < 1) throw badRequest('Limit must be positive');
  return Math.min(limit, most);
}

/** An argument from 1 to `most`. @throws ApiFault 400 */
export function countArgument(query: QueryArguments, name: string, byDefault: number, most: number): number {
  const count = intArgument(query, name) ?? byDefault;
  if (count < 1 || count > most) throw badRequest(`${name}: 1 to ${most} is expected`);
  return count;
}

/** The arguments `page` and `limit` (rows of a page) of a list that is paged by number. @throws ApiFault 400 */
export function pageArguments(query: QueryArguments, limits: { byDefault: number; most: number }) {
  const limit = countArgument(query, 'limit', limits.byDefault, limits.most);
  return { offset: (countArgument(query, 'page', 1, lastPage) - 1) * limit, limit };
}

/** A uuid argument in canonical form. */
export function uuidArgument(query: QueryArguments, name: string): string | undefined {
  const value = textArgument(query, name);
  return value === undefined ? undefined : requireUuid(name, value);
}

/** The canonical form of a uuid that a path or query argument must be. */
export function requireUuid(name: string, value: string): string {
  const uuid = canonicalUuid(value);
  if (uuid === null) {
    throw invalidField(name, value, `unable to convert to uuid. Error: Expected a uuid but received ${value}`);
  }
  return uuid;
}

/** Longer than any host name or uuid. */
const maxNameLength = 255;

/** The name of a host or an instance in a path. @throws ApiFault 400 when it cannot be one. */
export function nameParameter(param: string, name: string): string {
  if (name.length <= maxNameLength && !/\p{Cc}/u.test(name)) return name;
  throw badRequest(`${param}: at most ${maxNameLength} characters, none of them a control character`);
}

const trueWords = new Set(['true', '1', 'yes', 'y', 't', 'on']);

/** Whether the client requests soft-deleted rows as well (`X-Show-Deleted`). */
export function showDeleted(request: FastifyRequest): boolean {
  const value = request.headers['x-show-deleted'];
  return typeof value === 'string' && trueWords.has(value.trim().toLowerCase());
}

/** Sort keys that every table has. */
export const commonSortKeys = {
  id: 'id',
  uuid: 'uuid',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  deleted_at: 'deletedAt',
} as const;
