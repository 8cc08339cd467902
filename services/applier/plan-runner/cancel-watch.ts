import type { Logger } from '#libs/domain';
import { startPeriodic } from '#libs/service-kit';
import type { Store } from '#libs/store';
import type { CancelWatch } from './plan-run.ts';

/** A watch that looks at the plan's state regularly, after each action, and at once when `hint` is called. */
export interface RunningCancelWatch extends CancelWatch {
  hint(): void;
  stop(): Promise<void>;
}

export function startCancelWatch(
  store: Store,
  options: { planUuid: string; requested: boolean; everyMs: number; logger: Logger },
): RunningCancelWatch {
  const listeners = new Set<() => void>();
  let requested = options.requested;

  async function look(): Promise<void> {
    if (requested) return;
    const plan = await store.db.actionPlans.find(options.planUuid);
    if (plan?.state !== 'CANCELLING') return;
    requested = true;
    options.logger.info({ plan: options.planUuid }, 'cancel was requested');
    for (const wake of [...listeners]) wake();
  }

  const periodic = startPeriodic({
    name: 'cancel watch',
    everyMs: options.everyMs,
    immediately: false,
    run: look,
    logger: options.logger,
  });
  return {
    get requested() {
      return requested;
    },
    // A database that is away is no reason to stop; the next look will tell.
    check: () => look().catch(() => undefined),
    onRequested(wake) {
      listeners.add(wake);
      return () => listeners.delete(wake);
    },
    hint: periodic.wake,
    stop: periodic.stop,
  };
}
