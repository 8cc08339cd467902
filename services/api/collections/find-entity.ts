import { NotFoundError } from '#libs/domain';
import type { Filter, ListQuery } from '#libs/store';
import { canonicalUuid } from '../http/faults/notation.ts';
import { requireUuid } from './query-arguments.ts';

/** The part of a store reader that lookups use. */
export interface EntityReader<View> {
  find(ident: string, options?: { showDeleted?: boolean }): Promise<View | null>;
  list(query?: ListQuery<View>): Promise<View[]>;
}

/** Finds a row by integer id, uuid or name, tried in that order by the form of `ident`. Null when there is none. */
export async function findEntity<View extends { id: number }>(
  reader: EntityReader<View>,
  ident: string,
  options: { showDeleted?: boolean } = {},
): Promise<View | null> {
  if (/^(0|-?[1-9]\d{0,15})$/.test(ident)) {
    const byId: Filter<View> = { field: 'id', value: Number(ident) };
    const [row] = await reader.list({ filters: [byId], limit: 1, ...options });
    return row ?? reader.find(ident, options);
  }
  return reader.find(canonicalUuid(ident) ?? ident, options);
}

/** @throws NotFoundError when `findEntity` finds nothing. */
export async function getEntity<View extends { id: number }>(
  reader: EntityReader<View>,
  entity: string,
  ident: string,
  options: { showDeleted?: boolean } = {},
): Promise<View> {
  const row = await findEntity(reader, ident, options);
  if (row === null) throw new NotFoundError(entity, ident);
  return row;
}

/**
 * Finds a row by uuid only, from the argument `argument`.
 * @throws ApiFault 400 when `ident` is not a uuid, NotFoundError.
 */
export async function getByUuid<View>(
  reader: Pick<EntityReader<View>, 'find'>,
  { entity, argument }: { entity: string; argument: string },
  ident: string,
  options: { showDeleted?: boolean } = {},
): Promise<View> {
  const row = await reader.find(requireUuid(argument, ident), options);
  if (row === null) throw new NotFoundError(entity, ident);
  return row;
}
