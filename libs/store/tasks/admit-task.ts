import type { EntityManager } from 'typeorm';
import { liveStates } from './task-columns.ts';

/** The facts that decide whether a task may be queued. */
export interface Admission {
  name: string;
  argsKey: string;
  mode: string;
  extraNames: readonly string[];
}

/**
 * Serializes requests for the same names. Ids then follow the order of commits, and a request for an exclusive task
 * sees every other relevant request. Names are sorted to prevent deadlocks.
 */
export async function lockNames(manager: EntityManager, { name, extraNames }: Admission): Promise<void> {
  for (const locked of [...new Set([name, ...extraNames])].sort()) {
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`vigil:task:${locked}`]);
  }
}

/** The live task that prevents the admission of an exclusive task, or null. */
export async function findOccupant(manager: EntityManager, admission: Admission): Promise<string | null> {
  if (admission.mode !== 'exclusive') return null;
  const rows = await manager.query<{ uuid: string }[]>(
    `SELECT uuid FROM tasks
     WHERE state IN ${liveStates} AND (
       name = ANY($1::text[]) OR id IN (SELECT task_id FROM task_names WHERE task_names.name = ANY($1::text[]))
     ) ORDER BY id LIMIT 1`,
    [[admission.name, ...admission.extraNames]],
  );
  return rows[0]?.uuid ?? null;
}

/** The waiting task with the same arguments, or the task of the same firing of a schedule. */
export async function findTwin(
  manager: EntityManager,
  admission: Admission & { scheduleName?: string | null; fireTime?: Date | null },
): Promise<string | null> {
  const rows = await manager.query<{ uuid: string }[]>(
    `SELECT uuid FROM tasks
     WHERE state = 'QUEUED' AND flight_key IS NOT NULL AND name = $1 AND args_key = $2
       OR schedule_name = $3 AND fire_time = $4
     ORDER BY id LIMIT 1`,
    [admission.name, admission.argsKey, admission.scheduleName ?? null, admission.fireTime ?? null],
  );
  return rows[0]?.uuid ?? null;
}

/** Occupies the names of an exclusive task until it has ended. */
export async function occupyNames(manager: EntityManager, id: number, admission: Admission): Promise<void> {
  if (admission.mode !== 'exclusive') return;
  await manager.query('INSERT INTO task_names (name, task_id) SELECT DISTINCT unnest($1::text[]), $2::bigint', [
    [admission.name, ...admission.extraNames],
    id,
  ]);
}

/** Tasks with the same key run one at a time. */
export function flightKeyOf({ mode, name, argsKey }: Admission): string | null {
  if (mode === 'none') return null;
  return mode === 'deduped' ? `${name} ${argsKey}` : name;
}
