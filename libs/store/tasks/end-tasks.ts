import type { EntityManager } from 'typeorm';
import { isBlocked, taskMove } from './task-columns.ts';
import type { TaskFault } from './types.ts';

/**
 * Ends every task for which `condition` holds and frees the names that it occupies. Returns how many.
 * @param changes further assignments. Both texts may use `parameters` and call the table `task`.
 */
export async function endTasks(
  manager: EntityManager,
  event: 'succeed' | 'fail',
  { changes, condition }: { changes: string; condition: string },
  parameters: unknown[],
): Promise<number> {
  const move = taskMove(event);
  const rows = await manager.query<unknown[]>(
    `WITH ended AS (
       UPDATE tasks AS task SET ${move.to}, ended_at = clock_timestamp(), lease_expires_at = NULL, ${changes}
       WHERE ${condition} AND ${move.from} RETURNING task.id
     ), freed AS (DELETE FROM task_names WHERE task_id IN (SELECT id FROM ended))
     SELECT id FROM ended`,
    parameters,
  );
  return rows.length;
}

const lost: TaskFault = {
  code: 'worker_lost',
  message: 'the workers that ran it ended before it did, as often as it may be tried',
};

/** Fails tasks that were lost too often. */
export function endLost(manager: EntityManager): Promise<number> {
  return endTasks(
    manager,
    'fail',
    {
      changes: 'error = $1::jsonb',
      condition: `task.state = 'RUNNING' AND task.lease_expires_at <= now() AND task.attempts >= task.max_attempts`,
    },
    [JSON.stringify(lost)],
  );
}

/** Fails tasks that waited too long for their single-flight slot. */
export function endOverdue(manager: EntityManager): Promise<number> {
  return endTasks(
    manager,
    'fail',
    {
      changes: `error = jsonb_build_object('code', 'single_flight_timeout', 'message',
        format('waited %s s for another task that it must not run beside', task.single_timeout_seconds))`,
      condition: `task.state = 'QUEUED' AND task.wait_until <= now() AND ${isBlocked}`,
    },
    [],
  );
}
