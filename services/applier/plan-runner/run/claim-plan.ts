import { hostsOfActions } from '#libs/actions';
import type { Clock } from '#libs/domain';
import { type ActionPlanView, findHolder, heldText, holdingStates, lockAdmission, type UnitOfWork } from '#libs/store';
import { windowAt } from '../limits/maintenance-window.ts';
import type { RunnerDeps } from '../runner-deps.ts';
import type { RunnerOptions } from '../runner-options.ts';
import { statusMessages } from '../status-messages.ts';
import { windowObstacle } from './start-obstacle.ts';
import { type JudgedPlan, judgePlan, supersedeStale } from './supersede-stale.ts';

/** States of a plan that changes its hosts, or may have unverified changes. */
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
  /** Runs first in the same transaction. False cancels the claim without a rollback. */
  first?: ((unit: UnitOfWork) => Promise<boolean>) | undefined;
}

/** A plan that this process holds now. */
export interface ClaimedPlan {
  plan: ActionPlanView;
  formerHost: string | null;
  /** Start of the plan's first run. Null when this is the first. */
  firstStarted: Date | null;
  /** The database's time, carried on from the claim. */
  clock: Clock;
}

type ClaimDeps = Pick<RunnerDeps, 'store' | 'racePoint' | 'steadyClock' | 'requestGain'>;
type ClaimOptions = Pick<RunnerOptions, 'instance' | 'host' | 'leaseTtlMs'>;

/** Takes a plan with a lease and a new fencing number. Null when it cannot be claimed. */
export async function claimPlan(deps: ClaimDeps, options: ClaimOptions, claim: Claim): Promise<ClaimedPlan | null> {
  const claimed = await tryClaim(deps, options, claim, null);
  if (claimed !== 'unjudged') return claimed;
  // The message was recorded by the first try. When a host changes again, the poller retries.
  const judged = await judgePlan(deps.store, deps.requestGain, claim.planUuid);
  const again = await tryClaim(deps, options, { ...claim, first: undefined }, judged);
  return again === 'unjudged' ? null : again;
}

function tryClaim(
  deps: ClaimDeps,
  options: ClaimOptions,
  claim: Claim,
  judged: JudgedPlan | null,
): Promise<ClaimedPlan | 'unjudged' | null> {
  return deps.store.transaction(async (unit) => {
    if (claim.first && !(await claim.first(unit))) return null;
    const before = await findPlan(unit, claim);
    const clock = carriedOn(await unit.now(), deps.steadyClock);
    const obstacle = before?.state === 'PENDING' ? await obstacleTo(unit, before, clock.now(), judged) : null;
    if (obstacle !== null) return obstacle === 'unjudged' ? obstacle : null;
    const [first] = before ? await unit.planRuns.list(before.id) : [];
    const plan = await take(unit, deps, options, claim);
    return plan && { plan, formerHost: before?.hostname ?? null, firstStarted: first?.startedAt ?? null, clock };
  });
}

async function take(
  unit: UnitOfWork,
  deps: ClaimDeps,
  options: ClaimOptions,
  { kind, planUuid, launchSeq }: Claim,
): Promise<ActionPlanView | null> {
  const lease = { instance: options.instance, host: options.host, ttlMs: options.leaseTtlMs };
  const plan =
    kind === 'claimed'
      ? await unit.actionPlans.claim(planUuid, lease, { launchSeq })
      : await unit.actionPlans.takeOver(planUuid, lease);
  if (plan === null || plan.fence === null) return null;
  await unit.planRuns.start({ actionPlanId: plan.id, instance: options.instance, fence: plan.fence });
  await deps.racePoint('before-claim-commit');
  return plan;
}

/** Why a PENDING plan cannot be claimed now. Null when it can. */
async function obstacleTo(
  unit: UnitOfWork,
  plan: ActionPlanView,
  nowMs: number,
  judged: JudgedPlan | null,
): Promise<'waits' | 'superseded' | 'unjudged' | null> {
  if (await keepWaiting(unit, plan, nowMs)) return 'waits';
  const verdict = await supersedeStale(unit, plan, judged);
  return verdict === 'holds' ? null : verdict;
}

/** The plan before the claim. Plans are claimed one at a time, so two plans never find the same hosts free. */
async function findPlan(unit: UnitOfWork, { planUuid, kind }: Claim): Promise<ActionPlanView | null> {
  if (kind === 'claimed') await lockAdmission(unit);
  return unit.actionPlans.find(planUuid);
}

/** Extrapolates a time of one clock with another, monotonic clock. */
function carriedOn(read: Date, steady: Clock): Clock {
  const offsetMs = read.getTime() - steady.now();
  return { now: () => offsetMs + steady.now() };
}

/**
 * A plan outside of its maintenance window does not start: it waits as PENDING, or ends if it has no further window.
 */
async function keepWaiting(unit: UnitOfWork, plan: ActionPlanView, nowMs: number): Promise<boolean> {
  const obstacle = windowObstacle(windowAt(plan, nowMs));
  if (obstacle === null) return waitForHolder(unit, plan, nowMs);
  // After the last window, a run enables the hosts that an earlier run disabled.
  if (obstacle.kind === 'stop' && (await unit.planRuns.count(plan.id)) > 0) return waitForHolder(unit, plan, nowMs);
  const { statusMessage } = obstacle;
  if (obstacle.kind === 'hold') {
    await unit.actionPlans.update(plan.uuid, { holdUntil: obstacle.until, statusMessage });
  } else {
    await unit.actionPlans.transition(plan.uuid, 'fail', { set: { statusMessage } });
    await unit.actions.cancelPending(plan.uuid, { statusMessage: obstacle.notStarted });
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
