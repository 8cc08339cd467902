import { messageOf } from '#libs/domain';
import type { ActionView } from '#libs/store';
import { PlanGraphError } from '../../errors.ts';
import { abandonAction, cancelLikeWatcher, giveUpAction } from '../action/resume-action.ts';
import { buildPlanGraph, type PlanGraph } from '../plan/plan-graph.ts';
import type { PlanRun } from '../plan-run.ts';
import { statusMessages } from '../status-messages.ts';
import { cancelPlanLikeWatcher, failPlan, finishPlan, type PlanEnd } from './finish-plan.ts';
import { measureBefore } from './measure-before.ts';
import { putBack } from './put-back.ts';
import { giveUpRollBack, rollBack } from './roll-back.ts';
import { runGraph } from './run-graph.ts';
import { withAuthority } from './with-authority.ts';

/**
 * Runs a claimed plan to its end. @throws LeaseLostError when another applier holds the lease, RunHaltedError when
 * this process stops before the end.
 */
export async function runPlan(run: PlanRun, kind: 'claimed' | 'taken_over'): Promise<PlanEnd> {
  await run.deps.racePoint('after-claim');
  const { rows, runs } = await run.writes.inTransaction(async (unit) => ({
    rows: await unit.actions.listByPlan(run.plan.uuid),
    // Runs that ended by an orderly stop or an outage do not count against the plan.
    runs: await unit.planRuns.count(run.plan.id, { except: ['RELEASED', 'LEASE_LOST'] }),
  }));
  return withAuthority(run, rows, (own) => runWith(own, { kind, rows, runs }));
}

async function runWith(
  run: PlanRun,
  { kind, rows, runs }: { kind: 'claimed' | 'taken_over'; rows: ActionView[]; runs: number },
): Promise<PlanEnd> {
  if (kind === 'taken_over') {
    if (run.options.onCrash === 'cancel') return cancelTakenOver(run, rows);
    const takeovers = runs - 1;
    if (takeovers > run.options.maxTakeovers) return abandon(run, rows, takeovers);
  }
  // Clears the reason for the wait of the plan.
  if (run.plan.holdUntil !== null || run.plan.statusMessage !== null) {
    await run.writes.updatePlan({ holdUntil: null, statusMessage: null });
  }
  const graph = tryGraph(rows);
  if (graph instanceof PlanGraphError) return failPlan(run, statusMessages.notExecutable(messageOf(graph)));
  await measureBefore(run, rows);
  const outcome = await runGraph(run, graph, rows);
  const mustRollBack = run.plan.onFailure === 'rollback' && outcome.stoppedBy !== null;
  const begins = run.plan.rollbackState === null && mustRollBack && !run.watch.cancelRequested;
  if (begins || run.plan.rollbackState === 'ONGOING') await rollBack(run, graph, outcome.actions);
  await putBack(run);
  return finishPlan(run, outcome);
}

/** No run resumes the action, so free the slots that the lost run took for it. */
function releasePlaces(run: PlanRun, row: ActionView): Promise<void> {
  return run.writes.persist(() => run.deps.store.db.slots.release(row.uuid));
}

function isUnfinished(row: ActionView): boolean {
  return row.state === 'ONGOING' || row.state === 'CANCELLING';
}

function tryGraph(rows: ActionView[]): PlanGraph | PlanGraphError {
  try {
    return buildPlanGraph(rows);
  } catch (error) {
    if (error instanceof PlanGraphError) return error;
    throw error;
  }
}

async function cancelTakenOver(run: PlanRun, rows: ActionView[]): Promise<PlanEnd> {
  for (const row of rows) {
    if (!isUnfinished(row)) continue;
    await cancelLikeWatcher(run, row);
    await releasePlaces(run, row);
  }
  if (run.plan.rollbackState === 'ONGOING') {
    await rollBack(run, buildPlanGraph(rows), new Map(rows.map((row) => [row.uuid, row])), { startedOnly: true });
  }
  await putBack(run);
  return cancelPlanLikeWatcher(run, run.formerHost ?? run.options.host);
}

/**
 * Ends a plan that has repeatedly crashed its appliers. If probing its actions also crashes appliers, the plan fails
 * without a probe.
 */
async function abandon(run: PlanRun, rows: ActionView[], takeovers: number): Promise<PlanEnd> {
  const statusMessage = statusMessages.abandoned(takeovers);
  const mayProbe = takeovers <= 2 * Math.max(1, run.options.maxTakeovers);
  const unfinished = rows.filter(isUnfinished);
  await Promise.all(
    unfinished.map(async (row) => {
      if (mayProbe) await abandonAction(run, row, statusMessage);
      else await giveUpAction(run, row, statusMessage);
      await releasePlaces(run, row);
    }),
  );
  await giveUpRollBack(run, rows, statusMessage);
  await Promise.all(
    rows.filter(({ rollbackState }) => rollbackState === 'ONGOING').map((row) => releasePlaces(run, row)),
  );
  if (mayProbe) await putBack(run);
  return failPlan(run, statusMessage, { leavesHosts: !mayProbe });
}
