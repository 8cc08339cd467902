import type { Session } from '../session/session.ts';

/** Sessions of the dashboard, shared by all API processes. They expire by database time. */
export interface DashboardSessions {
  /**
   * Stores a session for at most `seconds`, and `idleSeconds` (null: no limit) after its last renewal. Deletes expired
   * sessions.
   */
  add(session: { idHash: string; sealedToken: string; seconds: number; idleSeconds: number | null }): Promise<void>;
  /**
   * Null when the session is unknown or has expired. `endsIn`: seconds to its end in any case. `isDue`: a tenth of
   * `idleSeconds` has passed since the last renewal.
   */
  find(
    idHash: string,
    idleSeconds: number | null,
  ): Promise<{ sealedToken: string; secondsLeft: number; endsIn: number; isDue: boolean } | null>;
  /** Extends an unexpired session by `idleSeconds`, at most to its end. */
  renew(idHash: string, idleSeconds: number | null): Promise<void>;
  remove(idHash: string): Promise<void>;
  /** Those of `idHashes` that were removed or have expired. */
  ended(idHashes: readonly string[]): Promise<string[]>;
}

/** `seconds` from now. Null for null, which `least` ignores. */
const from = (seconds: string) => `now() + (${seconds}) * interval '1 second'`;

/** Sessions of the dashboard, working through `session`. */
export function createDashboardSessions(session: Session): DashboardSessions {
  return {
    add: ({ idHash, sealedToken, seconds, idleSeconds }) =>
      session.write(async (manager) => {
        await manager.query('DELETE FROM dashboard_sessions WHERE expires_at < now()');
        await manager.query(
          `INSERT INTO dashboard_sessions (id_hash, sealed_token, expires_at, ends_at)
           VALUES ($1, $2, ${from('least($3::double precision, $4)')}, ${from('$3')})`,
          [idHash, sealedToken, seconds, idleSeconds],
        );
      }),

    find: (idHash, idleSeconds) =>
      session.read(async (manager) => {
        const [row] = await manager.query<
          { sealedToken: string; secondsLeft: number; endsIn: number; isDue: boolean }[]
        >(
          `SELECT sealed_token AS "sealedToken", extract(epoch FROM expires_at - now())::double precision AS "secondsLeft",
             extract(epoch FROM ends_at - now())::double precision AS "endsIn",
             expires_at < least(ends_at, ${from('$2::double precision * 0.9')}) AS "isDue"
           FROM dashboard_sessions WHERE id_hash = $1 AND expires_at > now()`,
          [idHash, idleSeconds],
        );
        return row ?? null;
      }),

    renew: (idHash, idleSeconds) =>
      session.write(async (manager) => {
        await manager.query(
          `UPDATE dashboard_sessions SET expires_at = least(ends_at, ${from('$2::double precision')})
           WHERE id_hash = $1 AND expires_at > now()`,
          [idHash, idleSeconds],
        );
      }),

    remove: (idHash) =>
      session.write(async (manager) => {
        await manager.query('DELETE FROM dashboard_sessions WHERE id_hash = $1', [idHash]);
      }),

    ended: (idHashes) =>
      session.read(async (manager) => {
        const rows = await manager.query<{ id: string }[]>(
          `SELECT id FROM unnest($1::text[]) AS requested (id)
           WHERE NOT EXISTS (SELECT FROM dashboard_sessions WHERE id_hash = requested.id AND expires_at > now())`,
          [idHashes],
        );
        return rows.map(({ id }) => id);
      }),
  };
}
