import type { ActionDescription } from '#libs/domain';
import type { Session } from '../session/session.ts';
import type { ActionDescriptionRepository } from '../types.ts';

/** Texts that explain action types, written from the manifests when a decision engine starts. */
export function createActionDescriptionRepository(session: Session): ActionDescriptionRepository {
  return {
    list: () =>
      session.read((manager) =>
        manager.query<ActionDescription[]>(
          `SELECT id, action_type AS "actionType", description, revertible FROM action_descriptions WHERE deleted = 0 ORDER BY id`,
        ),
      ),
    replaceAll: (rows) =>
      session.write(async (manager) => {
        const types = rows.map((row) => row.actionType);
        await manager.query('DELETE FROM action_descriptions WHERE NOT action_type = ANY($1::text[])', [types]);
        await manager.query(
          `INSERT INTO action_descriptions (action_type, description, revertible)
           SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
           ON CONFLICT (action_type) DO UPDATE
             SET description = excluded.description, revertible = excluded.revertible, updated_at = now()
             WHERE (action_descriptions.description, action_descriptions.revertible)
               IS DISTINCT FROM (excluded.description, excluded.revertible)`,
          [types, rows.map((row) => row.description), rows.map((row) => row.revertible ?? null)],
        );
      }),
  };
}
