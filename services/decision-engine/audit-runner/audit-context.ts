import { type AuditView, enabledRules, type UnitOfWork } from '#libs/store';
import type { PlanTask } from './compute-plan.ts';
import { type Failures, readFailures } from './failed-migrations.ts';
import { readPast } from './read-past.ts';
import { recentMigrations, timeSinceChange, timeSinceVolumeMove } from './recent-migrations.ts';

/** Recent changes by Vigil and the operator's rules, which a plan must respect. */
export type AuditContext = Failures &
  Required<Pick<PlanTask, 'recentlyMoved' | 'sinceChangeMs' | 'sinceVolumeMoveMs' | 'rules' | 'readPast'>>;

/** For how long instances are left alone after a move, in milliseconds; 0: not at all. */
export interface Rests {
  /** After one that succeeded. Default 0. */
  coolDownMs?: number;
  /** After one that failed, longer with each further one. Default 0. */
  backOffMs?: number;
  /** After one that the cloud refused for a lasting reason: the instance, or only the move to that host. Default 0. */
  refusalRestMs?: number;
}

/**
 * Reads the inputs of an audit beside the cloud. A run and a preview read the same, so that they compute the same plan.
 * The uuid is null for an audit that does not exist yet.
 */
export async function readAuditContext(
  db: Pick<UnitOfWork, 'actions' | 'actionPlans' | 'strategies' | 'placementRules' | 'now'>,
  audit: Pick<AuditView, 'auditType'> & { uuid: string | null },
  { coolDownMs = 0, backOffMs = 0, refusalRestMs = 0 }: Rests,
): Promise<AuditContext> {
  const [failures, recentlyMoved, sinceChangeMs, sinceVolumeMoveMs, rules] = await Promise.all([
    readFailures(db, { backOffMs, refusalRestMs }),
    recentMigrations(db, audit, coolDownMs),
    timeSinceChange(db),
    timeSinceVolumeMove(db),
    enabledRules(db),
  ]);
  return {
    ...failures,
    recentlyMoved,
    sinceChangeMs,
    sinceVolumeMoveMs,
    rules,
    readPast: (goalName) => readPast(db, audit.uuid, goalName),
  };
}
