import { hostsOfActions } from '#libs/actions';
import type { Clock } from '#libs/domain';
import { type ActionPlanView, findHolder, heldText, holdingStates, lockAdmission, type UnitOfWork } from '#libs/store';
import { windowAt } from '../limits/maintenance-window.ts';
import { windowObstacle } from '../limits/may-begin.ts';
import type { RunnerDeps } from '../runner-deps.ts';
import type { RunnerOptions } from '../runner-options.ts';
import { statusMessages } from '../status-messages.ts';

/** States of a plan that changes its hosts, or may have left changes behind that nothing has verified. */
const workingStates = holdingStates.filter((state) => state !== 'PENDING');

/** Pause before a plan checks again whether its hosts are free, in milliseconds. */
const holderCheckMs = 10_000;

export interface Claim {
  planUuid: string;
  /** `claimed`: the plan is PENDING. `taken_over`: the lease of its applier has expired. */
  kind: 'claimed' | 'taken_over';
  /** Only this launch of the plan. */
  launchSeq?: number;
  /** Span of the message that requests it, as `traceparent`. */
  traceparent?: string | null;
  /** Done first in the same transaction. False gives the claim up and rolls nothing back. */
  first?(unit: UnitOfWork): Promise<boolean>;
}

/** A plan that this process holds now. */
export interface ClaimedPlan {
  plan: ActionPlanView;
  formerHost: string | null;
  /** The database's time, carried on from the claim. */
  clock: Clock;
}

/** Takes a plan with a lease and a new fencing number. Null when it is not to be had. */
export function claimPlan(
  deps: Pick<RunnerDeps, 'store' | 'racePoint' | 'steadyClock'>,
  options: Pick<RunnerOptions, 'instance' | 'host' | 'leaseTtlMs'>,
  claim: Claim,
): Promise<ClaimedPlan | null> {
  const lease = { instance: options.instance, host: options.host, ttlMs: options.leaseTtlMs };
  return deps.store.transaction(async (unit) => {
    if (claim.first && !(await claim.first(unit))) return null;
    const before = await findPlan(unit, claim);
    const clock = carriedOn(await unit.now(), deps.steadyClock);
    if (before?.state === 'PENDING' && (await keepWaiting(unit, before, clock.now()))) return null;
    const plan =
      claim.kind === 'claimed'
        ? await unit.actionPlans.claim(claim.planUuid, lease, { launchSeq: claim.launchSeq })
        : await unit.actionPlans.takeOver(claim.planUuid, lease);
    if (plan === null || plan.fence === null) return null;
    await unit.planRuns.begin({ actionPlanId: plan.id, instance: options.instance, fence: plan.fence });
    await deps.racePoint('before-claim-commit');
    return { plan, formerHost: before?.hostname ?? null, clock };
  });
}

/** The plan before the claim. Only one plan at a time is claimed, so that two never find the same hosts free. */
async function findPlan(unit: UnitOfWork, { planUuid, kind }: Claim): Promise<ActionPlanView | null> {
  if (kind === 'claimed') await lockAdmission(unit);
  return unit.actionPlans.find(planUuid);
}

/** Tells the time of a clock that was read just now, by another one that runs evenly. */
function carriedOn(read: Date, steady: Clock): Clock {
  const offsetMs = read.getTime() - steady.now();
  return { now: () => offsetMs + steady.now() };
}

/** A plan whose maintenance window is closed is not started: it waits as PENDING, or ends when no window will come. */
async function keepWaiting(unit: UnitOfWork, plan: ActionPlanView, nowMs: number): Promise<boolean> {
  const obstacle = windowObstacle(windowAt(plan, nowMs));
  if (obstacle === null) return waitForHolder(unit, plan, nowMs);
  const { statusMessage } = obstacle;
  if (obstacle.kind === 'hold') {
    await unit.actionPlans.update(plan.uuid, { holdUntil: obstacle.until, statusMessage });
  } else {
    await unit.actionPlans.transition(plan.uuid, 'fail', { set: { statusMessage } });
    await unit.actions.cancelPending(plan.uuid, { statusMessage: obstacle.notBegun });
  }
  return true;
}

/** A plan does not start while another one works on one of its hosts: it waits as PENDING. */
async function waitForHolder(unit: UnitOfWork, plan: ActionPlanView, nowMs: number): Promise<boolean> {
  const hostsOf = async (uuid: string) => hostsOfActions(await unit.actions.listByPlan(uuid));
  const holder = await findHolder(unit, plan, hostsOf, workingStates);
  if (!holder) return false;
  const statusMessage = statusMessages.waitsForPlan(heldText(holder));
  await unit.actionPlans.update(plan.uuid, { holdUntil: new Date(nowMs + holderCheckMs), statusMessage });
  return true;
}
