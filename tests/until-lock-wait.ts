import type { Pool } from 'pg';
import { expect } from 'vitest';

/**
 * Waits until a session of the database of `sql` waits for a lock that another session holds. Within a transaction
 * PostgreSQL lists the sessions of its first such query, and no later ones, unless the snapshot is cleared.
 */
export async function untilLockWait(sql: Pool): Promise<void> {
  const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const count = async (): Promise<number> => {
    await sql.query('SELECT pg_stat_clear_snapshot()');
    return (await sql.query(waiting)).rows[0].count;
  };
  await expect.poll(count).toBeGreaterThan(0);
}
