import { type Audit, aimOf, mergesAims, oppositeAim, type StrategyAim } from '#libs/domain';
import type { AuditView, StrategyView } from '../types.ts';
import type { UnitOfWork } from '../unit.ts';

/** A CONTINUOUS audit that has not ended. */
export type AimedAudit = Pick<
  AuditView,
  'id' | 'uuid' | 'name' | 'scope' | 'goalName' | 'strategyName' | 'parameters'
> & {
  aim: StrategyAim;
  /** Strategies of the two audits whose aims cannot be merged. Null: both can be merged. */
  against: string[] | null;
};

type Subject = Pick<Audit, 'goalId' | 'strategyId' | 'parameters'>;

/** The strategy of an audit. Without one all strategies of its goal may run. */
function strategiesOf({ goalId, strategyId }: Subject, strategies: readonly StrategyView[]): StrategyView[] {
  return strategies.filter((one) => (strategyId === null ? one.goalId === goalId : one.id === strategyId));
}

/** The aim of an audit. Without a strategy, it is the common aim of all strategies of its goal. */
function aimOfAudit(audit: Subject, strategies: readonly StrategyView[]) {
  const own = strategiesOf(audit, strategies);
  const aims = new Set(own.map(({ parametersSpec }) => aimOf(parametersSpec, audit.parameters)));
  return aims.size === 1 ? ([...aims][0] ?? null) : null;
}

/** Names of strategies whose aim can be merged with the opposite one. */
export function mergingStrategies(strategies: readonly StrategyView[]): string[] {
  return strategies.flatMap(({ name, parametersSpec }) => (mergesAims(parametersSpec) ? name : [])).sort();
}

function againstMerge(audits: readonly Subject[], strategies: readonly StrategyView[]): string[] | null {
  const names = audits
    .flatMap((audit) => strategiesOf(audit, strategies))
    .flatMap(({ name, parametersSpec }) => (mergesAims(parametersSpec) ? [] : name));
  return names.length === 0 ? null : [...new Set(names)].sort();
}

/**
 * The CONTINUOUS audits with the opposite aim, in any scope, oldest first. Empty when the audit is not CONTINUOUS or
 * has no aim.
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
    if (aim !== oppositeAim[own]) return [];
    const { id, name, scope, goalName, strategyName, parameters } = other;
    return [
      {
        id,
        uuid,
        name,
        scope,
        goalName,
        strategyName,
        parameters,
        aim,
        against: againstMerge([audit, other], strategies),
      },
    ];
  });
}
