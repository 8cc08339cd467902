import type { EntityManager, QueryDeepPartialEntity } from 'typeorm';
import { type EntityBase, InvalidInputError, NotFoundError } from '#libs/domain';
import { currentTraceparent } from '#libs/tracing';
import type { ViewDefinition } from '../list-query.ts';
import { isUuid } from '../reading/filters.ts';
import { createReader } from '../reading/reader.ts';
import { viewQuery } from '../reading/view-query.ts';
import type { Session } from '../session/session.ts';
import type { NewRow, Repository } from '../types.ts';

/** Rows per INSERT. Far below PostgreSQL's limit of 65,535 parameters. */
const insertBatch = 500;

const fixedFields = ['id', 'uuid', 'state', 'createdAt', 'updatedAt', 'deletedAt', 'deleted'];

function refuseFixed(changes: object): void {
  const fixed = Object.keys(changes).find((field) => fixedFields.includes(field));
  if (fixed) throw new InvalidInputError(fixed, 'cannot be changed by an update');
}

/** Repository of one kind of entity, working through `session`. */
export function createRepository<Row extends EntityBase, View extends Row, Defaulted extends keyof Row = never>(
  session: Session,
  view: ViewDefinition<Row, View>,
): Repository<Row, View, Defaulted> {
  type Values = QueryDeepPartialEntity<Row>;

  const isTraced = 'traceparent' in view.schema.options.columns;

  /** Rows that work creates belong to its trace, also when they are read much later. */
  function insertRows(manager: EntityManager, given: NewRow<Row, Defaulted>[]) {
    const rows = isTraced ? given.map((row) => ({ traceparent: currentTraceparent(), ...row })) : given;
    return manager
      .createQueryBuilder()
      .insert()
      .into(view.schema)
      .values(rows as Values[])
      .updateEntity(false)
      .returning('id')
      .execute();
  }

  async function change(manager: EntityManager, uuid: string, values: Values): Promise<number> {
    const result = isUuid(uuid)
      ? await manager
          .createQueryBuilder()
          .update(view.schema)
          .set(values)
          .where('uuid = :uuid AND deleted = 0', { uuid })
          .returning('id')
          .execute()
      : { raw: [] };
    const id = result.raw[0]?.id;
    if (typeof id !== 'number') throw new NotFoundError(view.entity, uuid);
    return id;
  }

  return {
    ...createReader(session, view),

    insert: (row) =>
      session.write(async (manager) => {
        const result = await insertRows(manager, [row]);
        return viewQuery(manager, view, session.statements).byId(result.raw[0].id);
      }),

    insertMany: (rows) =>
      session.write(async (manager) => {
        for (let start = 0; start < rows.length; start += insertBatch) {
          await insertRows(manager, rows.slice(start, start + insertBatch));
        }
      }),

    update: (uuid, changes) =>
      session.write(async (manager) => {
        refuseFixed(changes);
        const given = Object.entries(changes).filter(([, value]) => value !== undefined);
        const query = viewQuery(manager, view, session.statements);
        if (given.length > 0) return query.byId(await change(manager, uuid, Object.fromEntries(given) as Values));
        const unchanged = await query.byIdent(uuid, false);
        if (!unchanged) throw new NotFoundError(view.entity, uuid);
        return unchanged;
      }),

    softDelete: (uuid) =>
      session.write(async (manager) => {
        await change(manager, uuid, { deleted: () => 'id', deletedAt: () => 'now()' } as unknown as Values);
      }),
  };
}
