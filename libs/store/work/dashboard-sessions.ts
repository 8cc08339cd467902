import type { DashboardSessions } from '../dashboard-contract.ts';
import type { Session } from '../session/session.ts';

/** Sessions of the dashboard, working through `session`. */
export function createDashboardSessions(session: Session): DashboardSessions {
  return {
    add: ({ idHash, sealedToken, seconds }) =>
      session.write(async (manager) => {
        await manager.query('DELETE FROM dashboard_sessions WHERE expires_at < now()');
        await manager.query(
          `INSERT INTO dashboard_sessions (id_hash, sealed_token, expires_at)
           VALUES ($1, $2, now() + $3::double precision * interval '1 second')`,
          [idHash, sealedToken, seconds],
        );
      }),

    find: (idHash) =>
      session.read(async (manager) => {
        const [row] = await manager.query<{ sealedToken: string }[]>(
          `SELECT sealed_token AS "sealedToken" FROM dashboard_sessions WHERE id_hash = $1 AND expires_at > now()`,
          [idHash],
        );
        return row?.sealedToken ?? null;
      }),

    remove: (idHash) =>
      session.write(async (manager) => {
        await manager.query('DELETE FROM dashboard_sessions WHERE id_hash = $1', [idHash]);
      }),

    ended: (idHashes) =>
      session.read(async (manager) => {
        const rows = await manager.query<{ id: string }[]>(
          `SELECT id FROM unnest($1::text[]) AS asked (id)
           WHERE NOT EXISTS (SELECT FROM dashboard_sessions WHERE id_hash = asked.id AND expires_at > now())`,
          [idHashes],
        );
        return rows.map(({ id }) => id);
      }),
  };
}
