import { LeaseLostError, NotFoundError, type TaskState } from '#libs/domain';
import { pruneInBatches, type Session } from '../session/session.ts';
import { claimTask } from './claim-task.ts';
import { endLost, endOverdue, endTasks } from './end-tasks.ts';
import { enqueueTask, redriveTask } from './enqueue-task.ts';
import { taskColumns, taskMove } from './task-columns.ts';
import type { TaskListQuery, TaskRow, Tasks } from './types.ts';

/** Number of rows that one transaction deletes. */
const pruneBatch = 1_000;
/** Condition on a held task: every event of its holder starts in the states of a take-over. */
const held = `uuid = $1 AND fence = $2 AND ${taskMove('takeOver').from}`;

/** Background tasks. Every change of a state is a move of `taskStateTable`. */
export function createTasks(session: Session): Tasks {
  /** One statement on a task that is held with `fence`. */
  function change(uuid: string, fence: number, changes: string, parameters: unknown[]): Promise<boolean> {
    return session.writeOnce(async (manager) => {
      const [, count] = await manager.query<[unknown[], number]>(`UPDATE tasks AS task SET ${changes} WHERE ${held}`, [
        uuid,
        fence,
        ...parameters,
      ]);
      return count > 0;
    });
  }

  async function guarded(uuid: string, done: Promise<boolean>): Promise<void> {
    if (!(await done)) throw new LeaseLostError(`task ${uuid}`);
  }

  function end(uuid: string, fence: number, event: 'succeed' | 'fail', changes: string, value: unknown) {
    const parameters = [uuid, fence, JSON.stringify(value)];
    const work = session.writeOnce((manager) => endTasks(manager, event, { changes, condition: held }, parameters));
    return guarded(
      uuid,
      work.then((count) => count > 0),
    );
  }

  return {
    enqueue: (task) => session.write((manager) => enqueueTask(manager, task)),
    claim: (queue, names, lease) => claimTask(session, { queue, names, lease }),
    renewLease: (uuid, fence, ttlMs) =>
      change(uuid, fence, `lease_expires_at = clock_timestamp() + $3::double precision * interval '1 millisecond'`, [
        ttlMs,
      ]),
    setProgress: (uuid, fence, progress) =>
      guarded(uuid, change(uuid, fence, 'progress = $3::jsonb', [JSON.stringify(progress)])),
    succeed: (uuid, fence, result) =>
      end(uuid, fence, 'succeed', `result = nullif($3::jsonb, 'null'), error = NULL`, result ?? null),
    fail: (uuid, fence, error) => end(uuid, fence, 'fail', 'error = $3::jsonb', error),
    retryLater: (uuid, fence, error, delayMs) =>
      guarded(
        uuid,
        change(
          uuid,
          fence,
          `${taskMove('retry').to}, error = $3::jsonb, lease_expires_at = NULL,
           run_after = clock_timestamp() + $4::double precision * interval '1 millisecond'`,
          [JSON.stringify(error), delayMs],
        ),
      ),
    release: (uuid, fence) =>
      guarded(
        uuid,
        change(
          uuid,
          fence,
          `${taskMove('release').to}, attempts = attempts - 1, lease_expires_at = NULL, run_after = now()`,
          [],
        ),
      ),
    sweep: async () => ({
      lost: await session.writeOnce(endLost),
      timedOut: await session.writeOnce(endOverdue),
    }),
    redrive: (uuid, by) => session.write((manager) => redriveTask(manager, uuid, by)),
    get: async (uuid) => {
      const [row] = await session.read((manager) =>
        manager.query<TaskRow[]>(`SELECT ${taskColumns} FROM tasks AS task WHERE uuid = $1`, [uuid]),
      );
      if (!row) throw new NotFoundError('Task', uuid);
      return row;
    },
    list: (query = {}) => listTasks(session, query),
    select: ({ uuids, states, afterId, limit }) =>
      session.read((manager) =>
        manager.query<TaskRow[]>(
          `SELECT ${taskColumns} FROM tasks AS task WHERE task.deleted = 0 AND task.id > $1
             AND ($2::uuid[] IS NULL OR task.uuid = ANY ($2)) AND ($3::text[] IS NULL OR task.state = ANY ($3))
           ORDER BY task.id LIMIT $4`,
          [afterId ?? 0, uuids ?? null, states ?? null, limit ?? null],
        ),
      ),
    counts: () =>
      session.read((manager) =>
        manager.query<{ queue: string; state: TaskState; count: number }[]>(
          `SELECT queue, state, count(*) AS count FROM tasks WHERE state NOT IN ('SUCCEEDED', 'SUPERSEDED') GROUP BY 1, 2 ORDER BY 1, 2`,
        ),
      ),
    prune: (ageSeconds) =>
      pruneInBatches(
        session,
        `DELETE FROM tasks WHERE id IN (
           SELECT id FROM tasks WHERE ended_at < now() - $1::double precision * interval '1 second' LIMIT $2)`,
        { ageSeconds, batch: pruneBatch },
      ),
  };
}

function listTasks(session: Session, { state, name, queue, limit = 100, marker }: TaskListQuery): Promise<TaskRow[]> {
  return session.read((manager) =>
    manager.query<TaskRow[]>(
      `SELECT ${taskColumns} FROM tasks AS task
       WHERE ($1::text IS NULL OR state = $1) AND ($2::text IS NULL OR name = $2) AND ($3::text IS NULL OR queue = $3)
         AND ($4::uuid IS NULL OR id < (SELECT id FROM tasks WHERE uuid = $4))
       ORDER BY id DESC LIMIT $5`,
      [state ?? null, name ?? null, queue ?? null, marker ?? null, limit],
    ),
  );
}
