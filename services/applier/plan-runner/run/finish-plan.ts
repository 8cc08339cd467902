import { putBackPlan } from '#libs/actions';
import { actionPlanStateTable, isTerminal, StateConflictError } from '#libs/domain';
import { startRevertPlan, type UnitOfWork } from '#libs/store';
import type { PlanRun } from '../plan-run.ts';
import { statusMessages } from '../status-messages.ts';
import { endMessage, measureOutcome } from './end-message.ts';
import type { GraphOutcome } from './run-graph.ts';

/** Longest wait for the measurement of a plan's effect after its end, in milliseconds. */
const afterLimitMs = 7 * 24 * 3_600_000;

/** Final state of a plan, as counted and logged. */
export type PlanEnd = 'SUCCEEDED' | 'FAILED' | 'CANCELLED';

interface Ending {
  event: 'succeed' | 'fail' | 'finishCancel' | 'failCancel';
  statusMessage?: string;
  /** Text of actions that did not start. They become CANCELLED. */
  notStarted?: string;
  /** Whether another plan enables the hosts that this plan disabled and did not empty, because the run did not. */
  leavesHosts?: boolean;
  /** `statusMessage` is Watcher's text without additions. */
  isWhole?: boolean;
}

/** Writes the final state that follows from the ends of the actions. A concurrent cancel wins. */
export async function finishPlan(run: PlanRun, outcome: GraphOutcome): Promise<PlanEnd> {
  await run.deps.racePoint('before-finish');
  return write(run, run.watch.cancelRequested ? { event: 'finishCancel' } : endingOf(outcome));
}

/** Ends a plan that cannot run or cannot continue. */
export function failPlan(run: PlanRun, statusMessage: string, { leavesHosts = false } = {}): Promise<PlanEnd> {
  const event = run.watch.cancelRequested ? 'failCancel' : 'fail';
  return write(run, { event, statusMessage, notStarted: statusMessage, leavesHosts });
}

/** Ends a plan of a dead applier as Watcher does. */
export function cancelPlanLikeWatcher(run: PlanRun, host: string): Promise<PlanEnd> {
  return write(run, {
    event: 'finishCancel',
    statusMessage: statusMessages.planCancelledByStop(host),
    isWhole: true,
    notStarted: statusMessages.actionCancelledByStop(host),
  });
}

function endingOf(outcome: GraphOutcome): Ending {
  if (outcome.stop) {
    return { event: 'fail', statusMessage: outcome.stop.statusMessage, notStarted: outcome.stop.notStarted };
  }
  const hasFailed = [...outcome.actions.values()].some((action) => action.state === 'FAILED');
  return { event: hasFailed ? 'fail' : 'succeed' };
}

async function write(run: PlanRun, ending: Ending): Promise<PlanEnd> {
  try {
    return await end(run, ending);
  } catch (error) {
    if (!(error instanceof StateConflictError)) throw error;
    // The response to an earlier try may have got lost after its commit.
    if (isEnd(error.currentState)) return error.currentState;
    const isCancelled = error.currentState === 'CANCELLING' && (ending.event === 'succeed' || ending.event === 'fail');
    if (!isCancelled) throw error;
    return end(run, { event: 'finishCancel' });
  }
}

function end(run: PlanRun, ending: Ending): Promise<PlanEnd> {
  return run.keeper.ending(() => run.writes.inTransaction((unit) => apply(run, unit, ending)));
}

async function apply(run: PlanRun, unit: UnitOfWork, ending: Ending): Promise<PlanEnd> {
  const { fence, plan } = run;
  if (ending.event === 'finishCancel') await requestCancelUnlessDone(run, unit);
  if (ending.event === 'finishCancel' || ending.notStarted !== undefined) {
    await unit.actions.cancelPending(plan.uuid, { statusMessage: ending.notStarted, fence });
  }
  const set = { statusMessage: await messageOf(run, unit, ending) };
  const row = await unit.actionPlans.transition(plan.uuid, ending.event, { fence, set });
  if (!isEnd(row.state)) throw new TypeError(`${ending.event} does not end an action plan`);
  await unit.planRuns.end(plan.id, fence, row.state);
  if (ending.leavesHosts && !plan.byOrder && plan.rollsBack === null) {
    await startRevertPlan(unit, plan, putBackPlan, run.deps.newUuid);
  }
  const { outcomeDelayMs: delayMs } = run.options;
  await unit.planMeasurements.request(plan.id, 'after', { delayMs, limitMs: afterLimitMs });
  await unit.outbox.add(measureOutcome(plan.uuid, 'after', run.deps.newUuid, delayMs));
  return row.state;
}

/** Read again, because a lost run may have ended and reverted actions. */
async function messageOf(run: PlanRun, unit: UnitOfWork, ending: Ending): Promise<string | null> {
  if (ending.isWhole) return ending.statusMessage ?? null;
  const actions = await unit.actions.listByPlan(run.plan.uuid);
  const isCancelled = ending.event === 'finishCancel';
  const exact = run.deps.actions.list().filter(({ revertible }) => revertible === 'exact');
  const exactTypes = new Set(exact.map(({ name }) => name));
  return endMessage({ plan: run.plan, actions, isCancelled, exactTypes, reason: ending.statusMessage });
}

/** A plan is cancelled only through CANCELLING. Watcher's policy for a dead applier starts at ONGOING. */
async function requestCancelUnlessDone(run: PlanRun, unit: UnitOfWork): Promise<void> {
  const { state } = await unit.actionPlans.get(run.plan.uuid);
  if (state === 'ONGOING') await unit.actionPlans.transition(run.plan.uuid, 'requestCancel', { fence: run.fence });
}

function isEnd(state: string | null): state is PlanEnd {
  const end = actionPlanStateTable.states.find((candidate) => candidate === state);
  return end !== undefined && isTerminal(actionPlanStateTable, end) && end !== 'DELETED' && end !== 'SUPERSEDED';
}
