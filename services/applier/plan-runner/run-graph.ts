import { actionStateTable, isTerminal } from '#libs/domain';
import type { ActionView } from '#libs/store';
import { RunHaltedError } from '../errors.ts';
import { executeAction, skipAction } from './execute-action.ts';
import { listenToRun } from './listen-to-run.ts';
import { occupiedBy } from './occupied-by.ts';
import type { PlanGraph } from './plan-graph.ts';
import type { PlanRun } from './plan-run.ts';
import { resumeAction } from './resume-action.ts';
import { runReady } from './run-ready.ts';
import { statusMessages } from './status-messages.ts';
import { withResources } from './with-resources.ts';

/** How the actions of a run ended. */
export interface GraphOutcome {
  /** Rows as they are, by uuid, in order of id. */
  actions: Map<string, ActionView>;
  /** Uuid of the first action that failed, when the plan's policy stops on a failure. */
  stoppedBy: string | null;
  /** The plan's time budget was used up before all actions began. */
  isLate: boolean;
}

/**
 * Executes the actions of a plan in the order of its graph, as parallel as the limits allow. Actions that an earlier
 * run left ONGOING are resumed first, even when the plan is being cancelled.
 * @throws RunHaltedError when the process stops before all actions have ended.
 */
export async function runGraph(run: PlanRun, graph: PlanGraph, rows: ActionView[]): Promise<GraphOutcome> {
  const actions = new Map(rows.map((row) => [row.uuid, row]));
  const isAny = run.options.executionRules[run.plan.strategyName] === 'ANY';
  const endsAt = planBegan(run, rows) + run.options.planTimeoutMs;

  function stoppedBy(): string | null {
    if (run.plan.onFailure === 'continue') return null;
    const failed = [...actions.values()].filter((action) => action.state === 'FAILED');
    failed.sort((one, other) => (one.endedAt?.getTime() ?? 0) - (other.endedAt?.getTime() ?? 0));
    return failed[0]?.uuid ?? null;
  }

  function mayBegin(): boolean {
    const isStopped = run.cancel.requested || run.draining.aborted || run.halt.aborted || stoppedBy() !== null;
    return !isStopped && run.deps.clock.now() < endsAt;
  }

  function areParentsDone(uuid: string): boolean {
    return graph.parentsOf(uuid).every((parent) => {
      const state = actions.get(parent)?.state;
      return state !== undefined && isTerminal(actionStateTable, state);
    });
  }

  function isReady(action: ActionView): boolean {
    if (action.state === 'ONGOING') return !run.halt.aborted;
    return action.state === 'PENDING' && mayBegin() && areParentsDone(action.uuid);
  }

  function isAlternativeDone(uuid: string): boolean {
    const parents = graph.parentsOf(uuid).map((parent) => actions.get(parent)?.state);
    return isAny && parents.some((state) => state === 'SUCCEEDED' || state === 'SKIPPED');
  }

  async function perform(action: ActionView): Promise<ActionView> {
    if (action.state === 'ONGOING') return resumeAction(run, action);
    if (isAlternativeDone(action.uuid)) return skipAction(run, action, statusMessages.alternativeSucceeded);
    return executeAction(run, action);
  }

  await runReady<ActionView>({
    ready: () => [...actions.values()].filter(isReady),
    keyOf: (action) => action.uuid,
    acquire: (action) => {
      const names = occupiedBy(run, action);
      return action.state === 'ONGOING' ? run.deps.occupancy.force(names) : run.deps.occupancy.take(names);
    },
    async run(action) {
      const begin = run.deps.clock.now();
      const use = { names: occupiedBy(run, action), mayWait: mayBegin, force: action.state === 'ONGOING' };
      const row = await withResources(run, use, () => perform(action));
      // Whoever gave up waiting finds the action PENDING.
      if (row === null) return;
      actions.set(row.uuid, row);
      run.deps.metrics.actionEnded(row.actionType, row.state, (run.deps.clock.now() - begin) / 1000);
      await run.cancel.check();
    },
    limit: run.options.maxActionsPerPlan,
    listen: (wake) => listenToRun(run, wake),
  });

  run.halt.throwIfAborted();
  const left = [...actions.values()].filter((action) => action.state === 'PENDING');
  const isStopped = run.cancel.requested || stoppedBy() !== null;
  if (left.length > 0 && !isStopped && run.draining.aborted) throw new RunHaltedError();
  return { actions, stoppedBy: stoppedBy(), isLate: left.length > 0 && !isStopped };
}

function planBegan(run: PlanRun, rows: ActionView[]): number {
  const begins = rows.flatMap((row) => (row.startedAt ? [row.startedAt.getTime()] : []));
  return Math.min(run.deps.clock.now(), ...begins);
}
