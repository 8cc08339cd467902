import { AlreadyExistsError } from '#libs/domain';
import type { Session } from '../session/session.ts';
import type { LeaseRequest } from '../work/leases.ts';
import { isBlocked, taskColumns, taskMove } from './task-columns.ts';
import type { TaskRow } from './types.ts';

/**
 * Several workers may each choose one of a set of exclusive tasks. The index admits one, and the others choose again.
 */
const maxTries = 5;

/** Claims the next task of the queue that may run now: a due task, or one with an expired lease. */
export async function claimTask(
  session: Session,
  wanted: { queue: string; names: readonly string[]; lease: LeaseRequest },
): Promise<(TaskRow & { fence: number }) | null> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    try {
      return await claimOnce(session, wanted);
    } catch (error) {
      if (!(error instanceof AlreadyExistsError)) throw error;
    }
  }
  return null;
}

function claimOnce(
  session: Session,
  { queue, names, lease }: { queue: string; names: readonly string[]; lease: LeaseRequest },
): Promise<(TaskRow & { fence: number }) | null> {
  return session.writeOnce(async (manager) => {
    const [rows] = await manager.query<[(TaskRow & { fence: number })[], number]>(
      `UPDATE tasks AS task SET ${taskMove('claim').to}, attempts = attempts + 1, hostname = $2, run_instance = $3,
         fence = nextval('fence_seq'), lease_expires_at = clock_timestamp() + $4::double precision * interval '1 millisecond',
         started_at = clock_timestamp(), progress = NULL
       WHERE id = (
         SELECT id FROM tasks AS task
         WHERE queue = $1 AND name = ANY($5::text[]) AND (
           ${taskMove('claim').from} AND run_after <= now()
           OR ${taskMove('takeOver').from} AND lease_expires_at <= now() AND attempts < max_attempts
         ) AND NOT ${isBlocked}
         ORDER BY priority DESC, id LIMIT 1 FOR UPDATE SKIP LOCKED
       )
       RETURNING ${taskColumns}`,
      [queue, lease.host, lease.instance, lease.ttlMs, names],
    );
    return rows[0] ?? null;
  });
}
