import { type AuditView, enabledRules, findOppositeAudits, type UnitOfWork } from '#libs/store';
import { type Failures, readFailures } from './failed-migrations.ts';
import { type MoveLimits, readMoveLedger } from './move-ledger.ts';
import type { PlanTask } from './plan-task.ts';
import { readPast } from './read-past.ts';
import { timeSinceChange, timeSinceVolumeMove } from './time-since-change.ts';

/** Recent changes by Vigil and the operator's rules, which a plan must respect. */
export type AuditContext = Failures &
  Required<Pick<PlanTask, 'ledger' | 'opposites' | 'sinceChangeMs' | 'sinceVolumeMoveMs' | 'rules' | 'readPast'>>;

/**
 * Limits of the next moves by earlier ones. Those by moves that succeeded hold for audits of type CONTINUOUS and EVENT.
 */
export interface Rests extends MoveLimits {
  /** Rest after a move that failed, in milliseconds, longer with each further one. Default 0. */
  backOffMs?: number;
  /** After one that the cloud refused for a lasting reason: the instance, or only the move to that host. Default 0. */
  refusalRestMs?: number;
}

/**
 * Reads the inputs of an audit beside the cloud. A run and a preview read the same, so that they compute the same plan.
 * The uuid is null for an audit that does not exist yet, of which opposite audits are unknown.
 */
export async function readAuditContext(
  db: Pick<UnitOfWork, 'actions' | 'actionPlans' | 'audits' | 'recentMoves' | 'strategies' | 'placementRules' | 'now'>,
  audit: AuditView | { uuid: null; auditType: AuditView['auditType'] },
  rests: Rests,
): Promise<AuditContext> {
  const { backOffMs = 0, refusalRestMs = 0 } = rests;
  const opposites = audit.uuid === null ? [] : await findOppositeAudits(db, audit);
  const undoing = new Set(opposites.map(({ uuid }) => uuid));
  const [failures, ledger, sinceChangeMs, sinceVolumeMoveMs, rules] = await Promise.all([
    readFailures(db, { backOffMs, refusalRestMs }),
    audit.auditType === 'ONESHOT' ? null : readMoveLedger(db, rests, undoing),
    timeSinceChange(db),
    timeSinceVolumeMove(db),
    enabledRules(db),
  ]);
  return {
    ...failures,
    ledger,
    opposites: { id: audit.uuid === null ? Number.POSITIVE_INFINITY : audit.id, audits: opposites },
    sinceChangeMs,
    sinceVolumeMoveMs,
    rules,
    readPast: (goalName) => readPast(db, audit.uuid, goalName),
  };
}
