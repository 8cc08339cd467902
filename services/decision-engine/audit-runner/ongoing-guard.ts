import { applyScope, type ComputeSnapshot } from '#libs/cluster-model';
import { type ActionPlanState, type AuditScope, actionFacts, volumeActionTypes } from '#libs/domain';
import type { ModelName } from '#libs/plugin-kit';
import type { ActionPlanView, ActionView, AuditView, UnitOfWork } from '#libs/store';
import { ActionPlanOngoingError } from './errors.ts';

/** States of a plan that changes hosts or will change them. */
const startedStates: readonly ActionPlanState[] = ['PENDING', 'ONGOING', 'CANCELLING'];

/** Prevents an audit from planning on hosts that a started action plan changes. */
export interface OngoingGuard {
  /** Receives the scope of the audit. Until then it only refuses audits of the whole cloud. */
  sees(whole: ComputeSnapshot, models: readonly ModelName[]): void;
  /**
   * Watcher's rule, except for plans of other scopes: no audit between the start and the end of an action plan, unless
   * the audit forces.
   * @throws ActionPlanOngoingError
   */
  check(unit: UnitOfWork): Promise<void>;
}

/** Whether the scope may exclude hosts. */
function limitsHosts(scope: AuditScope): boolean {
  return scope.some(({ compute }) => Array.isArray(compute) && compute.length > 0);
}

function hostsWithin(whole: ComputeSnapshot, scope: AuditScope): Set<string> {
  return new Set(applyScope(whole, scope).snapshot.hostInfo.map(({ hostname }) => hostname));
}

/** Hosts that the action names. Null when the cloud may choose one. */
function hostsOf({ actionType, inputParameters: input }: ActionView): string[] | null {
  const { source_node: source, destination_node: destination, resource_name: name } = input;
  const isConfined = actionFacts[actionType]?.isConfined === true;
  if (!isConfined && typeof destination !== 'string') return null;
  return [source, destination, name].flatMap((host) => (typeof host === 'string' ? host : []));
}

/** Plans and audits that both move volumes are assumed to conflict in any scope. */
export function createOngoingGuard(audit: Pick<AuditView, 'scope' | 'force'>): OngoingGuard {
  let seen: { whole: ComputeSnapshot; hosts: Set<string>; movesVolumes: boolean } | null = null;

  async function isInTheWay(unit: UnitOfWork, plan: ActionPlanView): Promise<boolean> {
    if (seen === null) return !limitsHosts(audit.scope);
    const { whole, hosts, movesVolumes } = seen;
    const other = await unit.audits.find(plan.auditUuid, { showDeleted: true });
    if (other === null) return true;
    if (intersects(hosts, hostsWithin(whole, other.scope))) return true;
    const actions = await unit.actions.listByPlan(plan.uuid);
    const open = actions.filter(({ state }) => state === 'PENDING' || state === 'ONGOING');
    if (movesVolumes && open.some(({ actionType }) => volumeActionTypes.includes(actionType))) return true;
    return open.some((action) => {
      const named = hostsOf(action);
      return named === null || intersects(hosts, named);
    });
  }

  return {
    sees(whole, models) {
      seen = { whole, hosts: hostsWithin(whole, audit.scope), movesVolumes: models.includes('storage') };
    },
    async check(unit) {
      if (audit.force) return;
      const plans = await unit.actionPlans.list({ filters: [{ field: 'state', op: 'in', value: startedStates }] });
      for (const plan of plans) if (await isInTheWay(unit, plan)) throw new ActionPlanOngoingError(plan);
    },
  };
}

function intersects(own: ReadonlySet<string>, others: Iterable<string>): boolean {
  for (const one of others) if (own.has(one)) return true;
  return false;
}
