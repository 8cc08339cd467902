import { wholeSteps } from '#libs/actions';
import type { ActionView } from '#libs/store';
import { inSpan } from '#libs/tracing';
import { RunHaltedError, RunHeldError } from '../../errors.ts';
import { executeAction, skipAction } from '../action/execute-action.ts';
import { namesOf } from '../action/plugin-calls.ts';
import { resumeAction } from '../action/resume-action.ts';
import { withShared } from '../limits/plan-slots.ts';
import type { PlanGraph } from '../plan/plan-graph.ts';
import { type PlanProgress, trackProgress } from '../plan/plan-progress.ts';
import { actionsAtOnce, type PlanRun } from '../plan-run.ts';
import { statusMessages } from '../status-messages.ts';
import { runReady } from './run-ready.ts';
import { isAny, obstacleOf, type Stop } from './start-obstacle.ts';
import { withResources } from './with-resources.ts';

/** Results of the actions of a run. */
export interface GraphOutcome {
  /** Current rows by uuid, in order of id. */
  actions: ReadonlyMap<string, ActionView>;
  /** Uuid of the first action that failed, when the plan's policy stops on a failure. */
  stoppedBy: string | null;
  /** Why the remaining actions will never start. */
  stop: Stop | null;
}

/**
 * Executes the actions of a plan in the order of its graph, in parallel within the limits. First it resumes actions
 * that an earlier run left ONGOING, even when the plan is being cancelled, is paused, or its window is closed.
 * @throws RunHaltedError when the process stops before all actions have ended, RunHeldError when the plan must wait.
 */
export async function runGraph(run: PlanRun, graph: PlanGraph, rows: ActionView[]): Promise<GraphOutcome> {
  const progress = trackProgress(graph, rows);
  const { cut } = wholeSteps(rows, run.plan);
  const endsAtMs = planStart(run, rows) + run.options.planTimeoutMs;

  function mayStart(): boolean {
    const isStopping = run.watch.cancelRequested || run.draining.aborted || run.halt.aborted;
    return !isStopping && obstacleOf(run, progress, endsAtMs) === null;
  }

  function* ready(): Iterable<ActionView> {
    if (!run.halt.aborted) yield* progress.unfinished();
    if (mayStart()) yield* progress.ready();
  }

  function isAlternativeDone(uuid: string): boolean {
    const parents = graph.parentsOf(uuid).map((parent) => progress.actions.get(parent)?.state);
    return isAny(run) && parents.some((state) => state === 'SUCCEEDED' || state === 'SKIPPED');
  }

  /**
   * A failed parent, which requires a new check of the action. Watcher's alternatives and rollbacks do not depend on
   * each other.
   */
  function lostParentOf(uuid: string): ActionView | null {
    if (run.plan.onFailure !== 'continue' || isAny(run) || run.plan.rollsBack !== null) return null;
    const parents = graph.parentsOf(uuid).map((parent) => progress.actions.get(parent));
    return parents.find((parent) => parent !== undefined && parent.state !== 'SUCCEEDED') ?? null;
  }

  async function perform(action: ActionView): Promise<ActionView> {
    if (action.state !== 'PENDING') return resumeAction(run, action);
    if (isAlternativeDone(action.uuid)) {
      return skipAction(run, action, statusMessages.alternativeSucceeded, 'alternative');
    }
    const reason = cut.get(action.uuid);
    if (reason === 'incomplete') return skipAction(run, action, statusMessages.incompleteStep, 'parent');
    if (reason === 'budget') {
      return skipAction(run, action, statusMessages.budgetUsedUp(run.plan.maxMigrations ?? 0), 'budget');
    }
    await run.deps.gate.whenOpen(run.halt);
    return executeAction(run, action, lostParentOf(action.uuid));
  }

  await runReady<ActionView>({
    ready,
    keyOf: (action) => action.uuid,
    acquire: (action) => {
      const names = occupiedBy(run, action);
      return action.state === 'PENDING' ? run.deps.occupancy.take(names) : run.deps.occupancy.force(names);
    },
    async run(action) {
      const begin = run.clock.now();
      const use = { action, names: occupiedBy(run, action), mayWait: mayStart, force: action.state !== 'PENDING' };
      const row = await withResources(run, use, () => traced(action, perform));
      // If the wait was given up, the action is still PENDING.
      if (row === null) return;
      progress.update(row);
      run.deps.metrics.actionEnded(row.actionType, row.state, (run.clock.now() - begin) / 1000);
    },
    limit: actionsAtOnce(run),
    listen: (wake) => listenToRun(run, wake),
  });
  return outcomeOf(run, progress, endsAtMs);
}

function traced(action: ActionView, perform: (action: ActionView) => Promise<ActionView>): Promise<ActionView> {
  const attributes = { 'vigil.action': action.uuid, 'vigil.action_type': action.actionType };
  return inSpan(`action ${action.actionType}`, { attributes }, async (span) => {
    const row = await perform(action);
    span?.set({ 'vigil.state': row.state });
    if (row.state === 'FAILED') span?.fail(row.statusMessage ?? row.state);
    return row;
  });
}

function outcomeOf(run: PlanRun, progress: PlanProgress, endsAtMs: number): GraphOutcome {
  run.halt.throwIfAborted();
  const stoppedBy = run.plan.onFailure === 'continue' ? null : progress.firstFailed();
  const ended = { actions: progress.actions, stoppedBy, stop: null };
  if (progress.count('PENDING') === 0 || run.watch.cancelRequested) return ended;
  const obstacle = obstacleOf(run, progress, endsAtMs);
  if (obstacle?.kind === 'stop') return { ...ended, stop: obstacle };
  if (obstacle?.kind === 'hold') throw new RunHeldError(obstacle.statusMessage, obstacle.until);
  throw new RunHaltedError();
}

function planStart(run: PlanRun, rows: ActionView[]): number {
  let started = run.clock.now();
  for (const row of rows) started = Math.min(started, row.startedAt?.getTime() ?? started);
  return started;
}

/**
 * Wakes a loop on every change that may allow a start of actions: user requests, stop, freed hosts. The loop notices
 * ended actions without it.
 */
export function listenToRun(run: PlanRun, wake: () => void): () => void {
  const stops = [run.watch.onRead(wake), run.deps.occupancy.onFreed(wake)];
  for (const signal of [run.halt, run.draining]) signal.addEventListener('abort', wake);
  return () => {
    for (const stop of stops) stop();
    for (const signal of [run.halt, run.draining]) signal.removeEventListener('abort', wake);
  };
}

/**
 * Names that an action occupies. Empty when its type, parameters or plugin are unusable, because such an action fails
 * before any effect.
 */
export function occupiedBy(run: PlanRun, action: ActionView): string[] {
  try {
    run.deps.actions.validate(action.actionType, action.inputParameters);
    return withShared(namesOf(run, action), run.options.networks, run.aggregates);
  } catch {
    return [];
  }
}
