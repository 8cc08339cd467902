import { type JsonValue, NotFoundError, StateConflictError } from '#libs/domain';
import type { Store } from '#libs/store';
import type { TaskRun } from '#libs/tasks';

const page = 500;

/** Selects dead tasks. Without conditions it selects all. */
export interface RedriveChoice {
  name?: string;
  queue?: string;
}

/**
 * Queues dead tasks again, oldest first, and returns their number. `coalesced` ones are superseded by a live task with
 * the same work. After a lost worker the next attempt queues the remaining dead tasks.
 */
export async function redriveTasks(
  store: Pick<Store, 'db'>,
  { name, queue }: RedriveChoice,
  run: Pick<TaskRun, 'createdBy' | 'signal' | 'progress'>,
): Promise<JsonValue> {
  const dead = await findDead(store, { name, queue });
  let requeued = 0;
  let coalesced = 0;
  for (const [index, uuid] of dead.entries()) {
    run.signal.throwIfAborted();
    try {
      const response = await store.db.tasks.redrive(uuid, run.createdBy);
      if (response.coalesced) coalesced += 1;
      else requeued += 1;
    } catch (error) {
      // Another request has retried or pruned it since.
      if (!(error instanceof StateConflictError || error instanceof NotFoundError)) throw error;
    }
    await run.progress(((index + 1) / dead.length) * 100, `${index + 1} of ${dead.length} tasks`);
  }
  return { found: dead.length, requeued, coalesced };
}

async function findDead(store: Pick<Store, 'db'>, { name, queue }: RedriveChoice): Promise<string[]> {
  const dead: string[] = [];
  for (let afterId = 0; ; ) {
    const rows = await store.db.tasks.select({ states: ['FAILED'], afterId, limit: page });
    // Would requeue the running redrive task itself.
    const chosen = rows.filter(
      (row) =>
        row.name !== 'redrive-tasks' &&
        (name === undefined || row.name === name) &&
        (queue === undefined || row.queue === queue),
    );
    dead.push(...chosen.map(({ uuid }) => uuid));
    const last = rows.at(-1);
    if (!last || rows.length < page) return dead;
    afterId = last.id;
  }
}
