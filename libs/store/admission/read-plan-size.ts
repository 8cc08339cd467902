import { type ApprovalRule, approvalReasons, movingActionTypes, type PlanSize, volumeActionTypes } from '#libs/domain';
import type { ActionPlanView, ActionView } from '../types.ts';
import type { UnitOfWork } from '../unit.ts';

const mibPerGib = 1024;
const copyingTypes = [...movingActionTypes, ...volumeActionTypes];

type Tables = Pick<UnitOfWork, 'actions' | 'planHolds' | 'planHosts' | 'audits' | 'now'>;

/** The names of hosts that actions use. */
type HostsOfActions = (actions: readonly ActionView[]) => string[];

/** The size of the pending actions of a plan, from its stored hosts. */
async function readPlanSize(
  unit: Pick<Tables, 'actions' | 'planHolds' | 'planHosts'>,
  plan: Pick<ActionPlanView, 'id' | 'uuid'>,
  hostsOf: HostsOfActions,
): Promise<PlanSize> {
  const actions = (await unit.actions.listByPlan(plan.uuid)).filter(({ state }) => state === 'PENDING');
  const migrations = actions.filter(({ actionType }) => copyingTypes.includes(actionType));
  const { hosts } = await unit.planHolds.count(plan.id);
  return {
    migrations: migrations.length,
    gib: gibOf(migrations, await unit.planHosts.find(plan.id)),
    hosts: Math.max(hosts, new Set(hostsOf(actions)).size),
  };
}

function gibOf(
  migrations: readonly ActionView[],
  known: Awaited<ReturnType<UnitOfWork['planHosts']['find']>>,
): number | null {
  let sum = 0;
  for (const { inputParameters } of migrations) {
    const id = String(inputParameters.resource_id);
    const memory = known?.moved[id]?.memory;
    const gib = memory === undefined ? known?.volumes?.[id] : memory / mibPerGib;
    if (gib === undefined) return null;
    sum += gib;
  }
  return sum;
}

/**
 * Why the rules require an approval of a plan now. Null when they require none. A plan that undoes another plan needs
 * no approval.
 */
export async function readApprovalReason(
  unit: Tables,
  plan: Pick<ActionPlanView, 'id' | 'uuid' | 'auditUuid' | 'strategyName' | 'rollsBack'>,
  { rules, hostsOf }: { rules: readonly ApprovalRule[]; hostsOf: HostsOfActions },
): Promise<string | null> {
  if (rules.length === 0 || plan.rollsBack !== null) return null;
  const audit = await unit.audits.find(plan.auditUuid, { showDeleted: true });
  const facts = {
    goal: audit?.goalName ?? null,
    strategy: plan.strategyName,
    size: await readPlanSize(unit, plan, hostsOf),
  };
  const reasons = approvalReasons(rules, facts, (await unit.now()).getTime());
  return reasons.length === 0 ? null : reasons.join('; ');
}
