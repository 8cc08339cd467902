import type { ActionPlanState } from '#libs/domain';
import type { PlanHolder } from '../entities/plan-holds.ts';
import { ApprovalWantedError, PlanHeldError } from '../errors.ts';
import type { ActionPlanView } from '../types.ts';
import type { UnitOfWork } from '../unit.ts';

/** States of a started plan that has not ended. Such a plan holds its hosts. */
export const holdingStates: readonly ActionPlanState[] = ['PENDING', 'ONGOING', 'CANCELLING', 'SUSPENDED'];

type Tables = Pick<UnitOfWork, 'lock' | 'planHolds' | 'actionPlans'>;

/**
 * Serializes transactions that start or claim plans, until the end of the transaction. Reads after this call include
 * all earlier admissions. If both locks are needed, take the lock of an audit's plans first.
 */
export function lockAdmission(unit: Pick<UnitOfWork, 'lock'>): Promise<void> {
  return unit.lock('plan-admission');
}

/** Reads the hosts that the actions of a plan use or free. */
export type HostsOfPlan = (planUuid: string) => Promise<string[]>;

/**
 * Admits a plan before its start: it does not wait for an approval, and no other started plan holds one of its hosts.
 * Decisions on approvals use the same lock. Call it in the transaction of the start.
 * @param hostsOf for plans without stored hosts
 * @throws ApprovalWantedError, PlanHeldError
 */
export async function admitPlan(
  unit: Tables,
  plan: Pick<ActionPlanView, 'id' | 'uuid'>,
  hostsOf: HostsOfPlan,
): Promise<void> {
  await lockAdmission(unit);
  const current = await unit.actionPlans.get(plan.uuid);
  if (current.approval === 'wanted' || current.approval === 'refused') throw new ApprovalWantedError(current);
  const holder = await findHolder(unit, plan, hostsOf, holdingStates);
  if (holder) throw new PlanHeldError(plan.uuid, holder);
}

/** The oldest other plan in one of these states that shares a host with the plan. */
export async function findHolder(
  { planHolds }: Pick<UnitOfWork, 'planHolds'>,
  plan: Pick<ActionPlanView, 'id' | 'uuid'>,
  hostsOf: HostsOfPlan,
  states: readonly ActionPlanState[],
): Promise<PlanHolder | null> {
  for (const { id, uuid } of await planHolds.withoutHosts(plan.id, states)) {
    const hosts = (await hostsOf(uuid)).map((hostname) => ({ hostname, version: null }));
    await planHolds.record(id, hosts);
  }
  const [holder] = await planHolds.holders(plan.id, states);
  return holder ?? null;
}
