import type { EntityManager, QueryDeepPartialEntity } from 'typeorm';
import { type EntityBase, LeaseLostError, type Move, moveOf, NotFoundError, StateConflictError } from '#libs/domain';
import type { ViewDefinition } from '../list-query.ts';
import { isUuid } from '../reading/filters.ts';
import { viewQuery } from '../reading/view-query.ts';
import type { Session } from '../session/session.ts';
import type { StatefulRepository, TransitionOptions } from '../types.ts';
import type { LifeCycle } from './life-cycle.ts';
import { createRepository } from './repository.ts';

/** Most tries to explain a refused change. Further tries are needed only if the row changed in between. */
const explainTries = 3;

/** Repository of an entity whose `state` changes only along its table. */
export function createStatefulRepository<
  Row extends EntityBase & { state: string },
  View extends Row,
  State extends string,
  Event extends string,
  Defaulted extends keyof Row = never,
>(
  session: Session,
  view: ViewDefinition<Row, View>,
  lifeCycle: LifeCycle<State, Event>,
): StatefulRepository<Row, View, Event, Defaulted> {
  type Options = TransitionOptions<Row>;

  async function attempt(manager: EntityManager, uuid: string, event: Event, options: Options) {
    const move = moveOf(lifeCycle.table, event);
    const values = { ...lifeCycle.effects(event, move.to), ...options.set, state: move.to };
    const update = manager
      .createQueryBuilder()
      .update(view.schema)
      .set(values as unknown as QueryDeepPartialEntity<Row>)
      .where('uuid = :uuid AND deleted = 0 AND state IN (:...from)', { uuid, from: move.from });
    if (options.fence !== undefined) update.andWhere(lifeCycle.fenceGuard, { fence: options.fence });
    const result = await update.returning('id').execute();
    return result.raw[0]?.id as number | undefined;
  }

  /** Throws the reason why an update matched no row. Returns when the reason no longer exists. */
  async function explain(manager: EntityManager, uuid: string, event: Event, fence: number | undefined) {
    const { tableName } = manager.connection.getMetadata(view.schema);
    const [row] = await manager.query<{ state: State; fence: number | null }[]>(
      `SELECT state, ${lifeCycle.currentFence} AS fence FROM ${tableName} WHERE uuid = $1 AND deleted = 0`,
      [uuid],
    );
    if (!row) throw new NotFoundError(view.entity, uuid);
    if (fence !== undefined && row.fence !== fence) throw new LeaseLostError(`${view.entity} ${uuid}`);
    const move: Move<State> = moveOf(lifeCycle.table, event);
    if (!move.from.includes(row.state)) throw new StateConflictError(view.entity, uuid, row.state, event);
    return row.state;
  }

  return {
    ...createRepository<Row, View, Defaulted>(session, view),

    transition: (uuid, event, options = {}) =>
      session.write(async (manager) => {
        if (!isUuid(uuid)) throw new NotFoundError(view.entity, uuid);
        let state: State | null = null;
        for (let tries = 0; tries < explainTries; tries += 1) {
          const id = await attempt(manager, uuid, event, options);
          if (id !== undefined) return viewQuery(manager, view, session.statements).byId(id);
          state = await explain(manager, uuid, event, options.fence);
        }
        throw new StateConflictError(view.entity, uuid, state, event);
      }),
  };
}
