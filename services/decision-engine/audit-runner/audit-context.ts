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
 * Limits on moves because of earlier moves. Limits from successful moves apply to audits of type CONTINUOUS and EVENT.
 */
export interface Rests extends MoveLimits {
  /** Rest after a failed move in milliseconds, longer with each further failure. Default 0. */
  backOffMs?: number;
  /** Rest after a refusal for a lasting reason, of the instance or only of the move to that host. Default 0. */
  refusalRestMs?: number;
}

/**
 * Reads the inputs of an audit that are not from the cloud. Runs and previews read the same inputs, so they compute
 * the same plan. The uuid is null for an audit that does not exist yet. Its opposite audits are unknown.
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
