import type { ActionPlanState } from '#libs/domain';
import type { PlanHolder } from '../entities/plan-holds.ts';
import { ApprovalWantedError, PlanHeldError } from '../errors.ts';
import type { ActionPlanView } from '../types.ts';
import type { UnitOfWork } from '../unit.ts';

/** States in which a plan was started and has not ended: its hosts belong to it. */
export const holdingStates: readonly ActionPlanState[] = ['PENDING', 'ONGOING', 'CANCELLING', 'SUSPENDED'];

type Tables = Pick<UnitOfWork, 'lock' | 'planHolds' | 'actionPlans'>;

/**
 * Lets one transaction at a time start or claim plans, until it ends. Reads after this call include all earlier
 * admissions. When both are needed, take the lock of an audit's plans first.
 */
export function lockAdmission(unit: Pick<UnitOfWork, 'lock'>): Promise<void> {
  return unit.lock('plan-admission');
}

/** Reads the hosts that the actions of a plan use or free. */
export type HostsOfPlan = (planUuid: string) => Promise<string[]>;

/**
 * Admits a plan that is about to start: it does not wait for an approval, and no other started plan holds one of its
 * hosts. Decisions on approvals wait for the same lock. Call it in the transaction of the start.
 * @param hostsOf for plans whose hosts were not stored when they were made
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

/** The oldest other plan in one of these states that holds a host of the plan. */
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
