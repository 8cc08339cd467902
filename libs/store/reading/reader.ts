import { NotFoundError } from '#libs/domain';
import type { ViewDefinition } from '../list-query.ts';
import type { Session } from '../session/session.ts';
import type { Reader } from '../types.ts';
import { viewQuery } from './view-query.ts';

/** Reads of one kind of entity. */
export function createReader<Row extends { id: number }, View extends Row>(
  session: Session,
  view: ViewDefinition<Row, View>,
): Reader<View> {
  const find: Reader<View>['find'] = (ident, options) =>
    session.read((manager) =>
      viewQuery(manager, view, session.statements).byIdent(ident, options?.showDeleted ?? false),
    );
  return {
    find,
    async get(ident, options) {
      const found = await find(ident, options);
      if (!found) throw new NotFoundError(view.entity, ident);
      return found;
    },
    list: (query) => session.read((manager) => viewQuery(manager, view, session.statements).list(query ?? {})),
    count: (filters) => session.read((manager) => viewQuery(manager, view, session.statements).count(filters ?? [])),
  };
}
