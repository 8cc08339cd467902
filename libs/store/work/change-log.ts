import type { ChangeLog, ChangeRow } from '../contract.ts';
import type { Session } from '../session/session.ts';

/** The numbered change log; see the migration that creates `number_changes()` for why no number can be missed. */
export function createChangeLog(session: Session): ChangeLog {
  return {
    read: (since, limit) =>
      session.write(async (manager) => {
        await manager.query('SELECT number_changes()');
        return manager.query<ChangeRow[]>(
          `SELECT epoch, revno, kind, entity_uuid AS "entityUuid", op, doc, at FROM change_log
           WHERE revno IS NOT NULL AND epoch = $1 AND revno > $2 ORDER BY revno LIMIT $3`,
          [since.epoch, since.revno, limit],
        );
      }),

    bounds: () =>
      session.write(async (manager) => {
        await manager.query('SELECT number_changes()');
        const rows = await manager.query<{ epoch: number; oldest: number; newest: number }[]>(
          `SELECT head.epoch, head.revno AS newest, coalesce(
             (SELECT min(revno) FROM change_log WHERE revno IS NOT NULL AND epoch = head.epoch), head.revno + 1
           ) AS oldest FROM change_log_head AS head WHERE head.id = 1`,
        );
        const [bounds] = rows;
        if (!bounds) throw new Error('change_log_head has no row');
        return bounds;
      }),
  };
}
