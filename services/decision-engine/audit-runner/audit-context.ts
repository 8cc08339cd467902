import { type AuditView, enabledRules, type UnitOfWork } from '#libs/store';
import type { PlanTask } from './compute-plan.ts';
import { failedMigrations } from './failed-migrations.ts';
import { readPast } from './read-past.ts';
import { recentMigrations, timeSinceChange, timeSinceVolumeMove } from './recent-migrations.ts';

/** Recent changes by Vigil and the operator's rules, which a plan must respect. */
export type AuditContext = Required<
  Pick<PlanTask, 'failedMigrations' | 'recentlyMoved' | 'sinceChangeMs' | 'sinceVolumeMoveMs' | 'rules' | 'readPast'>
>;

/** For how long instances are left alone after a move, in milliseconds; 0: not at all. */
export interface Rests {
  /** After one that succeeded. Default 0. */
  coolDownMs?: number;
  /** After one that failed, longer with each further one. Default 0. */
  backOffMs?: number;
}

/**
 * Reads the inputs of an audit beside the cloud. A run and a preview read the same, so that they compute the same plan.
 * The uuid is null for an audit that does not exist yet.
 */
export async function readAuditContext(
  db: Pick<UnitOfWork, 'actions' | 'actionPlans' | 'strategies' | 'placementRules' | 'now'>,
  audit: Pick<AuditView, 'auditType'> & { uuid: string | null },
  { coolDownMs = 0, backOffMs = 0 }: Rests,
): Promise<AuditContext> {
  const [failed, recentlyMoved, sinceChangeMs, sinceVolumeMoveMs, rules] = await Promise.all([
    failedMigrations(db, backOffMs),
    recentMigrations(db, audit, coolDownMs),
    timeSinceChange(db),
    timeSinceVolumeMove(db),
    enabledRules(db),
  ]);
  return {
    failedMigrations: failed,
    recentlyMoved,
    sinceChangeMs,
    sinceVolumeMoveMs,
    rules,
    readPast: (goalName) => readPast(db, audit.uuid, goalName),
  };
}
