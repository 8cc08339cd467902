import { ActionFailedError, hostsOfActions, openSlots, orderReverts, UnknownActionTypeError } from '#libs/actions';
import type { ActionAttemptJournal, RollbackState } from '#libs/domain';
import type { ProbeResult, RevertUse } from '#libs/plugin-kit';
import type { ActionView } from '#libs/store';
import { ActionPluginError, RunHaltedError } from '../../errors.ts';
import { openActionScope } from '../action/action-scope.ts';
import { continueAttempt } from '../action/attempts.ts';
import { createCloudOutage } from '../action/cloud-outage.ts';
import { budgetOf, checkedOutcome, irreversibleText, namesOf } from '../action/plugin-calls.ts';
import { probeAction } from '../action/probe-action.ts';
import type { PlanGraph } from '../plan/plan-graph.ts';
import { actionsAtOnce, type PlanRun } from '../plan-run.ts';
import { reasonOf, statusMessages } from '../status-messages.ts';
import { listenToRun, occupiedBy } from './run-graph.ts';
import { runReady } from './run-ready.ts';
import { withResources } from './with-resources.ts';

type Settled = Exclude<RollbackState, 'ONGOING'>;

/**
 * Reverts the changes of the plan, in the order of `orderReverts`: actions that SUCCEEDED, and failed actions that
 * still took effect. A successor may call it again to continue the reverts of the lost run. Once the plan is
 * cancelled, or with `startedOnly`, it only finishes reverts that a lost run has started.
 * @throws RunHaltedError when the process stops before the end.
 */
export async function rollBack(
  run: PlanRun,
  graph: PlanGraph,
  actions: ReadonlyMap<string, ActionView>,
  { startedOnly = false } = {},
): Promise<void> {
  await run.writes.updatePlan({ rollbackState: 'ONGOING' });
  const states = new Map<string, Settled | null>();
  for (const action of actions.values()) {
    if (action.state === 'SUCCEEDED' || action.state === 'FAILED') states.set(action.uuid, settledState(action));
  }
  const changed = [...actions.values()].filter((action) => states.has(action.uuid));
  const order = orderReverts(
    changed.map((action) => ({
      uuid: action.uuid,
      hasTakenEffect: action.state === 'SUCCEEDED',
      ...useOf(run, action),
    })),
    graph,
  );

  const isStopped = () => startedOnly || run.watch.cancelRequested;
  const isStarted = ({ rollbackState }: ActionView) => rollbackState === 'ONGOING';
  const mayStart = (action: ActionView) =>
    !(run.draining.aborted || run.halt.aborted) && (isStarted(action) || !isStopped());
  /**
   * Whether the revert of an action may start. A revert that a lost run has started may, although an action without
   * anything to revert is not stored.
   */
  const hasTurn = (action: ActionView) =>
    isStarted(action) || (order.get(action.uuid) ?? []).every((other) => states.get(other) !== null);
  await runReady<ActionView>({
    ready: () =>
      [...actions.values()].filter((action) => mayStart(action) && states.get(action.uuid) === null && hasTurn(action)),
    keyOf: (action) => action.uuid,
    acquire: (action) => run.deps.occupancy.take(occupiedBy(run, action)),
    async run(action) {
      const use = { action, names: occupiedBy(run, action), mayWait: () => mayStart(action) };
      const reverted = await withResources(run, use, async () => ({ outcome: await revertAction(run, action) }));
      if (reverted?.outcome) states.set(action.uuid, reverted.outcome);
      else if (reverted) states.delete(action.uuid);
      await run.watch.check();
    },
    limit: actionsAtOnce(run),
    listen: (wake) => listenToRun(run, wake),
  });

  run.halt.throwIfAborted();
  const isOpen = [...states.values()].includes(null);
  if (isOpen && (!isStopped() || run.draining.aborted)) throw new RunHaltedError();
  await run.writes.updatePlan(
    isOpen ? { rollbackState: 'FAILED', rollbackMessage: statusMessages.rollbackStopped } : summary(states),
  );
}

/** Ends the rollback of a plan that no applier continues, with the given reason. */
export async function giveUpRollBack(run: PlanRun, rows: readonly ActionView[], reason: string): Promise<void> {
  if (run.plan.rollbackState !== 'ONGOING') return;
  for (const row of rows) if (row.rollbackState === 'ONGOING') await recordRevert(run, row, 'FAILED', reason);
  await run.writes.updatePlan({ rollbackState: 'FAILED', rollbackMessage: reason });
}

/**
 * Reverts one action and records the result. Null when the action had no effect to revert.
 * @param reason stored with a successful revert
 */
export async function revertAction(
  run: PlanRun,
  action: ActionView,
  reason: string | null = null,
): Promise<Settled | null> {
  const way = wayBack(run, action);
  if (way === 'impossible') {
    if (action.state === 'FAILED') return null;
    return recordRevert(run, action, 'NOT_SUPPORTED', irreversibleText(run, action));
  }
  if ('fault' in way) {
    // It failed for the same reason, before any effect.
    if (action.state === 'FAILED' && action.endReason === 'invalid') return null;
    run.deps.logger.warn({ plan: run.plan.uuid, action: action.uuid, error: way.fault }, 'action cannot be reverted');
    return recordRevert(run, action, 'FAILED', reasonOf(way.fault));
  }
  const journal = await run.writes.inTransaction((unit) => continueAttempt(run, unit, action, 'rollback'));
  if (action.state === 'FAILED' && action.rollbackState === null) {
    const probed = await probeAction(run, action, journal);
    if (probed === 'in_progress') return recordRevert(run, action, 'FAILED', 'The operation is still in progress');
    if (isUncertain(action, probed))
      return recordRevert(run, action, 'FAILED', 'Cannot determine whether the action took effect');
    if (probed !== 'applied') return null;
  }
  await run.writes.updateFenced((unit) => unit.actions.update(action.uuid, { rollbackState: 'ONGOING' }));
  await run.deps.racePoint('mid-rollback');
  return revertPatiently(run, action, journal, { budgetMs: way.budgetMs, reason });
}

/** An action that never started has sent no request, whether or not the cloud shows its effect. */
function isUncertain({ startedAt }: ActionView, probed: ProbeResult): boolean {
  return probed === 'unknown' && startedAt !== null;
}

/** The time budget of a revert, or the reason without one: its type is not installed, or its plugin is broken. */
function wayBack(run: PlanRun, action: ActionView): { budgetMs: number } | { fault: unknown } | 'impossible' {
  try {
    if (run.deps.actions.get(action.actionType).revertible === 'impossible') return 'impossible';
    namesOf(run, action);
    return { budgetMs: budgetOf(run, action) };
  } catch (fault) {
    if (fault instanceof ActionPluginError || fault instanceof UnknownActionTypeError) return { fault };
    throw fault;
  }
}

/** Reverts until the outcomes of all sent requests are known. */
async function revertPatiently(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
  { budgetMs, reason }: { budgetMs: number; reason: string | null },
): Promise<Settled> {
  const cloudOutage = createCloudOutage(run, action);
  let written = journal;
  for (let tries = 1; ; tries++) {
    const reverted = await revertOnce(run, action, written, budgetMs);
    if (reverted === null) return recordRevert(run, action, 'SUCCEEDED', reason);
    const { error } = reverted;
    written = reverted.written;
    run.deps.logger.warn({ plan: run.plan.uuid, action: action.uuid, error }, 'action could not be reverted');
    // Requests without a response may still take effect, so the plugin first searches for their effect.
    const isOpen = openSlots(written).length > 0;
    const mayTryAgain = isOpen && ((await cloudOutage.waitOut(error)) || tries === 1);
    if (!mayTryAgain) return recordRevert(run, action, 'FAILED', reasonOf(error));
  }
}

/** Null when the former state is restored. */
async function revertOnce(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
  budgetMs: number,
): Promise<{ error: unknown; written: ActionAttemptJournal } | null> {
  const plugin = run.deps.actions.get(action.actionType);
  const scope = openActionScope(run, action, { journal, budgetMs, deadlineMs: run.clock.now() + budgetMs });
  const { context } = scope;
  try {
    if (checkedOutcome(action, 'revert', await scope.call((touched) => plugin.revert(touched)))) return null;
    throw new ActionFailedError('The former state was not restored');
  } catch (error) {
    run.halt.throwIfAborted();
    const cause: unknown = context.signal.aborted ? context.signal.reason : error;
    return { error: cause, written: context.journal.current() };
  } finally {
    scope.close();
  }
}

/** Stores the result of a revert. */
export async function recordRevert(
  run: PlanRun,
  action: ActionView,
  state: Settled,
  message: string | null,
): Promise<Settled> {
  const changes = { rollbackState: state, rollbackMessage: message };
  await run.writes.updateFenced(async (unit) => {
    await unit.actions.update(action.uuid, changes);
    if (state === 'SUCCEEDED') await unit.hostVersions.raise(hostsOfActions([action]));
  });
  return state;
}

function settledState(action: ActionView): Settled | null {
  return action.rollbackState === 'ONGOING' ? null : action.rollbackState;
}

/** Resources that the revert of the action needs on hosts. Empty when its type or parameters are unusable. */
function useOf(run: PlanRun, action: ActionView): RevertUse {
  try {
    run.deps.actions.validate(action.actionType, action.inputParameters);
    return run.deps.actions.get(action.actionType).revertUse?.(action.inputParameters) ?? {};
  } catch {
    return {};
  }
}

function summary(states: Map<string, Settled | null>): { rollbackState: Settled; rollbackMessage: string | null } {
  const all = [...states.values()];
  const failed = all.filter((state) => state === 'FAILED').length;
  if (failed > 0)
    return { rollbackState: 'FAILED', rollbackMessage: `${failed} of ${all.length} actions failed to revert` };
  const isUnsupported = all.length > 0 && all.every((state) => state === 'NOT_SUPPORTED');
  return { rollbackState: isUnsupported ? 'NOT_SUPPORTED' : 'SUCCEEDED', rollbackMessage: null };
}
