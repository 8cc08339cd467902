import type { Logger } from '#libs/domain';
import { startPeriodic } from '#libs/service-kit';
import type { ActionPlanView, Store } from '#libs/store';
import type { PlanWatch } from './plan-run.ts';

/** A watch that checks the plan's row regularly, and immediately when `hint` is called. */
export interface RunningPlanWatch extends PlanWatch {
  hint(): void;
  stop(): Promise<void>;
}

/** @param plan the claimed plan. */
export function startPlanWatch(
  store: Store,
  options: { plan: ActionPlanView; everyMs: number; logger: Logger },
): RunningPlanWatch {
  const listeners = new Set<() => void>();
  let plan = options.plan;

  async function read(): Promise<void> {
    const former = plan;
    plan = (await store.db.actionPlans.find(former.uuid)) ?? former;
    const isChanged = requestedOf(former) !== requestedOf(plan);
    if (isChanged)
      options.logger.info({ plan: plan.uuid, requested: requestedOf(plan) }, 'requested control of the plan changed');
    // Windows open and close without a request.
    for (const wake of [...listeners]) wake();
  }

  const periodic = startPeriodic({
    name: 'plan watch',
    everyMs: options.everyMs,
    immediately: false,
    run: read,
    logger: options.logger,
  });
  return {
    get plan() {
      return plan;
    },
    get cancelRequested() {
      return plan.state === 'CANCELLING';
    },
    get abortRequested() {
      return plan.state === 'CANCELLING' && plan.abortRunning;
    },
    // Continues while the database is unavailable, because the next read may succeed.
    check: () => read().catch(() => undefined),
    onRead(wake) {
      listeners.add(wake);
      return () => listeners.delete(wake);
    },
    hint: periodic.wake,
    stop: periodic.stop,
  };
}

function requestedOf(plan: ActionPlanView): string {
  const words = [plan.state, plan.paused ? 'paused' : 'not paused', plan.abortRunning ? 'abort running' : ''];
  return words.filter((word) => word !== '').join(', ');
}
