import { moveOf, type TaskEvent, taskStateTable } from '#libs/domain';

/** Columns of `tasks` in the names of `TaskRow`, for a table that is called `task`. */
export const taskColumns = `
  task.id, task.uuid, task.name, task.args, task.args_key AS "argsKey", task.queue, task.mode, task.priority, task.state,
  task.run_after AS "runAfter", task.attempts, task.max_attempts AS "maxAttempts",
  task.timeout_seconds AS "timeoutSeconds", task.single_timeout_seconds AS "singleTimeoutSeconds",
  task.created_by AS "createdBy", task.request_id AS "requestId", task.schedule_name AS "scheduleName",
  task.fire_time AS "fireTime", task.result, task.error, task.progress, task.hostname,
  task.run_instance AS "runInstance", task.fence, task.lease_expires_at AS "leaseExpiresAt",
  task.started_at AS "startedAt", task.ended_at AS "endedAt",
  task.redriven_by AS "redrivenBy", task.redriven_at AS "redrivenAt", task.created_at AS "createdAt",
  task.updated_at AS "updatedAt"`;

/** States of unfinished tasks. */
export const liveStates = `('QUEUED', 'RUNNING', 'RETRYING')`;

/** Whether the row `task` waits for another one. */
export const isBlocked = `(
  EXISTS (SELECT FROM task_names AS held WHERE held.name = task.name AND held.task_id <> task.id)
  OR task.flight_key IS NOT NULL AND EXISTS (
    SELECT FROM tasks AS other
    WHERE other.flight_key = task.flight_key AND other.id <> task.id AND other.state IN ('RUNNING', 'RETRYING')
  )
)`;

/**
 * A move of `taskStateTable` as SQL on `tasks AS task`: the assignment of the new state, and the condition on the old
 * one.
 */
export function taskMove(event: TaskEvent): { to: string; from: string } {
  const { from, to } = moveOf(taskStateTable, event);
  return { to: `state = '${to}'`, from: `task.state IN (${from.map((state) => `'${state}'`).join(', ')})` };
}
