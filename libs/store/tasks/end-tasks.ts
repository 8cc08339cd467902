import type { EntityManager } from 'typeorm';
import { isBlocked, taskMove } from './task-columns.ts';
import type { TaskFault } from './types.ts';

/**
 * Ends every task that matches `condition` and frees its names. Returns their number. @param changes further
 * assignments. Both texts may use `parameters` and call the table `task`.
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
  message: 'its workers ended before it did, for the maximum number of attempts',
};

/** Fails tasks with too many lost attempts. */
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
        format('waited %s s for another task that must not run at the same time', task.single_timeout_seconds))`,
      condition: `task.state = 'QUEUED' AND task.wait_until <= now() AND ${isBlocked}`,
    },
    [],
  );
}
