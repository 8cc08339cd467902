import { type WindowState, windowAt } from '../limits/maintenance-window.ts';
import type { PlanProgress } from '../plan/plan-progress.ts';
import type { PlanRun } from '../plan-run.ts';
import { statusMessages } from '../status-messages.ts';

/** Why no further action ever starts: texts for the plan and for the actions that did not start. */
export interface Stop {
  kind: 'stop';
  /** Absent when the messages of the actions suffice. */
  statusMessage?: string;
  notStarted: string;
}

/** Why no action starts now. Any applier may continue at `until` or later. */
export interface Hold {
  kind: 'hold';
  statusMessage: string;
  until: Date | null;
}

/**
 * Watcher's execution rule ANY: actions are alternatives, so their failures are expected. Actions of a rollback are
 * never alternatives.
 */
export function isAny(run: PlanRun): boolean {
  return run.plan.rollsBack === null && run.options.executionRules[run.plan.strategyName] === 'ANY';
}

/**
 * Reason not to start actions of a plan, apart from its cancellation and the end of the process. Null when there is
 * none.
 * @param endsAtMs end of the plan's time budget
 */
export function obstacleOf(run: PlanRun, progress: PlanProgress, endsAtMs: number): Stop | Hold | null {
  const failed = policyStop(run, progress) ?? breakerStop(run, progress);
  if (failed) return failed;
  if (run.clock.now() >= endsAtMs) {
    const late = statusMessages.planTimeout(Math.round(run.options.planTimeoutMs / 1000));
    return { kind: 'stop', statusMessage: late, notStarted: late };
  }
  if (run.watch.plan.paused) return { kind: 'hold', statusMessage: statusMessages.paused, until: null };
  return windowObstacle(windowAt(run.watch.plan, run.clock.now()));
}

/** @returns null when the window is open */
export function windowObstacle(window: WindowState): Stop | Hold | null {
  if (window.isOpen) return null;
  const { opensAt } = window;
  if (opensAt) return { kind: 'hold', statusMessage: statusMessages.waitsForWindow(opensAt), until: opensAt };
  return { kind: 'stop', statusMessage: statusMessages.windowOver, notStarted: statusMessages.windowOver };
}

function policyStop(run: PlanRun, progress: PlanProgress): Stop | null {
  const first = run.plan.onFailure === 'continue' ? null : progress.firstFailed();
  return first === null ? null : { kind: 'stop', notStarted: statusMessages.notExecuted(first) };
}

/** When most requests to the cloud fail, the plan stops sending more. */
function breakerStop(run: PlanRun, progress: PlanProgress): Stop | null {
  const { failureShare, failureMinimum } = run.options;
  const failed = progress.count('FAILED');
  const tried = failed + progress.count('SUCCEEDED');
  if (isAny(run) || tried < failureMinimum || failed < failureShare * tried) return null;
  return {
    kind: 'stop',
    statusMessage: statusMessages.tooManyFailed(failed, tried),
    notStarted: statusMessages.notExecutedAfterFailures(failed, tried),
  };
}
