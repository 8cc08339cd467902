import type { Session } from '../session/session.ts';

/** Places within limits. Concurrent requests are serialized, so two cannot take the last place. */
export function createSlots(session: Session): Slots {
  return {
    acquire: (holder, slots, { ttlMs, force = false }) =>
      session.write(async (manager) => {
        if (slots.length === 0) return true;
        await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('vigil:action_slots', 0))`);
        const names = slots.map((slot) => slot.name);
        const limits = slots.map((slot) => slot.limit);
        const rows = await manager.query<unknown[]>(
          `WITH wanted AS (SELECT * FROM unnest($2::text[], $3::integer[]) AS wanted (name, most)),
           full_ones AS (
             SELECT 1 FROM wanted WHERE most <= (
               SELECT count(*) FROM action_slots AS taken
               WHERE taken.name = wanted.name AND taken.holder <> $1 AND taken.expires_at > now()
             )
           )
           INSERT INTO action_slots (name, holder, expires_at)
           SELECT name, $1, now() + $4::double precision * interval '1 millisecond' FROM wanted
           WHERE $5 OR NOT EXISTS (SELECT 1 FROM full_ones)
           ON CONFLICT (name, holder) DO UPDATE SET expires_at = excluded.expires_at
           RETURNING 1`,
          [holder, names, limits, ttlMs, force],
        );
        // Slots of dead holders are removed by the next process that checks the same limits.
        await manager.query('DELETE FROM action_slots WHERE name = ANY($1::text[]) AND expires_at <= now()', [names]);
        return rows.length > 0;
      }),

    renew: (holders, ttlMs) =>
      session.writeOnce(async (manager) => {
        await manager.query(
          `UPDATE action_slots SET expires_at = now() + $2::double precision * interval '1 millisecond'
           WHERE holder = ANY($1::text[])`,
          [holders, ttlMs],
        );
      }),

    release: (holder) =>
      session.writeOnce(async (manager) => {
        await manager.query('DELETE FROM action_slots WHERE holder = $1', [holder]);
      }),
  };
}

/** A limit with its number of places. */
export interface Slot {
  name: string;
  limit: number;
}

/** Places within limits of all processes, such as migrations from one host. Each has a lease. */
export interface Slots {
  /**
   * Takes a place in all of `slots` or in none. A holder keeps an existing place. With `force` the limits are ignored.
   * False when a limit is reached.
   */
  acquire(holder: string, slots: readonly Slot[], options: { ttlMs: number; force?: boolean }): Promise<boolean>;
  /** Renews all places of the holders. */
  renew(holders: readonly string[], ttlMs: number): Promise<void>;
  release(holder: string): Promise<void>;
}
