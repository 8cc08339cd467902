import type { Pool } from 'pg';
import { expect } from 'vitest';

/** Waits until a session of the database of `sql` waits for a lock that another session holds. */
export async function untilLockWait(sql: Pool): Promise<void> {
  const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await sql.query(waiting)).rows[0].count).toBeGreaterThan(0);
}
