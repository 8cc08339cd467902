import type { EntityManager } from 'typeorm';
import { NotFoundError, StateConflictError } from '#libs/domain';
import { type Admission, findOccupant, findTwin, flightKeyOf, lockNames, occupyNames } from './admit-task.ts';
import { taskMove } from './task-columns.ts';
import type { Enqueued, NewTask } from './types.ts';

/** A twin may start between the insert and the lookup, but hardly this many times in a row. */
const maxTries = 10;

/** Adds a task, or returns the existing one of single-flight. Needs a transaction. */
export async function enqueueTask(manager: EntityManager, task: NewTask): Promise<Enqueued> {
  await lockNames(manager, task);
  const occupant = await findOccupant(manager, task);
  if (occupant) return { uuid: occupant, coalesced: true };
  for (let tries = 0; tries < maxTries; tries += 1) {
    const id = await insertTask(manager, task);
    if (id !== null) {
      await occupyNames(manager, id, task);
      return { uuid: task.uuid, coalesced: false };
    }
    const twin = await findTwin(manager, task);
    if (twin) return { uuid: twin, coalesced: true };
  }
  throw new Error(`task ${task.name} was neither added nor found`);
}

async function insertTask(manager: EntityManager, task: NewTask): Promise<number | null> {
  const rows = await manager.query<{ id: number }[]>(
    `INSERT INTO tasks (uuid, name, args, args_key, queue, mode, flight_key, extra_names, priority, run_after, wait_until,
       max_attempts, timeout_seconds, single_timeout_seconds, created_by, request_id, schedule_name, fire_time)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce($10::timestamptz, now()),
       greatest(coalesce($10::timestamptz, now()), now()) + $13::double precision * interval '1 second',
       $11, $12, $13::integer, $14, $15, $16, $17)
     ON CONFLICT DO NOTHING RETURNING id`,
    [
      task.uuid,
      task.name,
      JSON.stringify(task.args),
      task.argsKey,
      task.queue,
      task.mode,
      flightKeyOf(task),
      task.extraNames,
      task.priority,
      task.runAfter,
      task.maxAttempts,
      task.timeoutSeconds,
      task.singleTimeoutSeconds,
      task.createdBy,
      task.requestId,
      task.scheduleName,
      task.fireTime,
    ],
  );
  return rows[0]?.id ?? null;
}

/** Ends a failed task permanently, because `other` does its work. */
async function supersede(
  manager: EntityManager,
  { id, uuid, other, by }: { id: number; uuid: string; other: string; by: string },
): Promise<void> {
  const move = taskMove('supersede');
  const [, count] = await manager.query<[unknown[], number]>(
    `UPDATE tasks AS task SET ${move.to}, result = $2::jsonb, redriven_by = $3, redriven_at = now() WHERE id = $1 AND ${move.from}`,
    [id, JSON.stringify({ superseded_by: other }), by],
  );
  if (count === 0) throw new StateConflictError('Task', uuid, null, 'supersede');
}

/** Queues a failed task again, under the same rules as a new one. Needs a transaction. */
export async function redriveTask(manager: EntityManager, uuid: string, by: string): Promise<Enqueued> {
  const [found] = await manager.query<(Admission & { id: number; state: string })[]>(
    'SELECT id, name, args_key AS "argsKey", mode, extra_names AS "extraNames", state FROM tasks WHERE uuid = $1',
    [uuid],
  );
  if (!found) throw new NotFoundError('Task', uuid);
  await lockNames(manager, found);
  if (found.state !== 'FAILED') throw new StateConflictError('Task', uuid, found.state, 'redrive');
  const other = (await findOccupant(manager, found)) ?? (found.mode === 'none' ? null : await findTwin(manager, found));
  if (other) {
    if (other !== uuid) await supersede(manager, { id: found.id, uuid, other, by });
    return { uuid: other, coalesced: true };
  }
  // Callers that add a twin wait for the lock of the name, so the index does not refuse.
  const [, count] = await manager.query<[unknown[], number]>(
    `UPDATE tasks AS task SET ${taskMove('redrive').to}, attempts = 0, error = NULL, result = NULL, progress = NULL, ended_at = NULL,
       started_at = NULL, redriven_by = $2, redriven_at = now(), run_after = now(), wait_until = now() + single_timeout_seconds * interval '1 second'
     WHERE id = $1 AND ${taskMove('redrive').from}`,
    [found.id, by],
  );
  if (count === 0) throw new StateConflictError('Task', uuid, null, 'redrive');
  await occupyNames(manager, found.id, found);
  return { uuid, coalesced: false };
}
