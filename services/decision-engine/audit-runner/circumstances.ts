import type { AuditView, UnitOfWork } from '#libs/store';
import type { PlanTask } from './compute-plan.ts';
import { failedMigrations } from './failed-migrations.ts';
import { recentMigrations } from './recent-migrations.ts';
import { timeSinceChange } from './time-since-change.ts';

/** What Vigil itself did lately and what a plan has to heed because of it. */
export type Circumstances = Required<Pick<PlanTask, 'failedMigrations' | 'recentlyMoved' | 'sinceChangeMs'>>;

/**
 * Reads what an audit heeds beside the cloud: the same for a run and for a preview of it, so that they come to the same plan.
 * `uuid` is null for an audit that is not there yet, which has no failed migrations of its own.
 */
export async function readCircumstances(
  db: Pick<UnitOfWork, 'actions' | 'now'>,
  audit: Pick<AuditView, 'auditType'> & { uuid: string | null },
  coolDownMs: number,
): Promise<Circumstances> {
  const { uuid, auditType } = audit;
  const [failed, recentlyMoved, sinceChangeMs] = await Promise.all([
    uuid === null ? [] : failedMigrations(db, { uuid, auditType }),
    recentMigrations(db, audit, coolDownMs),
    timeSinceChange(db),
  ]);
  return { failedMigrations: failed, recentlyMoved, sinceChangeMs };
}
