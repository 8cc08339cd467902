import { type Audit, aimOf, oppositeAim, type StrategyAim } from '#libs/domain';
import type { AuditView, StrategyView } from '../types.ts';
import type { UnitOfWork } from '../unit.ts';

/** A CONTINUOUS audit that runs, or will. */
export type AimedAudit = Pick<AuditView, 'id' | 'uuid' | 'name' | 'scope'> & { aim: StrategyAim };

type Subject = Pick<Audit, 'goalId' | 'strategyId' | 'parameters'>;

/** The aim of an audit. One without a strategy has that of its goal, where all strategies of the goal agree. */
function aimOfAudit({ goalId, strategyId, parameters }: Subject, strategies: readonly StrategyView[]) {
  const own = strategies.filter((one) => (strategyId === null ? one.goalId === goalId : one.id === strategyId));
  const aims = new Set(own.map(({ parametersSpec }) => aimOf(parametersSpec, parameters)));
  return aims.size === 1 ? ([...aims][0] ?? null) : null;
}

/**
 * The CONTINUOUS audits whose aim undoes that of this one, in any scope, oldest first. None when it is not CONTINUOUS
 * or has no aim.
 * @param audit its uuid is null when it does not exist yet
 */
export async function findOppositeAudits(
  unit: Pick<UnitOfWork, 'audits' | 'strategies'>,
  audit: Subject & Pick<Audit, 'auditType'> & { uuid: string | null },
): Promise<AimedAudit[]> {
  if (audit.auditType !== 'CONTINUOUS') return [];
  const strategies = await unit.strategies.list();
  const own = aimOfAudit(audit, strategies);
  if (own === null) return [];
  const running = await unit.audits.list({
    filters: [
      { field: 'auditType', value: 'CONTINUOUS' },
      { field: 'state', op: 'in', value: ['PENDING', 'ONGOING'] },
    ],
    sortKey: 'id',
  });
  return running.flatMap(({ uuid, ...other }) => {
    const aim = uuid === audit.uuid ? null : aimOfAudit(other, strategies);
    return aim === oppositeAim[own] ? [{ id: other.id, uuid, name: other.name, scope: other.scope, aim }] : [];
  });
}
