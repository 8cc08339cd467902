import { lateEffectMs, openSlots, sendsOf, silentSince } from '#libs/actions';
import type { ActionAttemptJournal, JsonObject } from '#libs/domain';
import type { ActionContext, ProbeResult } from '#libs/plugin-kit';
import type { ActionView } from '#libs/store';
import type { PlanRun } from '../plan-run.ts';
import { openActionScope } from './action-scope.ts';
import { probeAction } from './probe-action.ts';

/** No limit: while the cloud is unavailable, the outcome of a request is unknown. */
const noLimitMs = Number.MAX_SAFE_INTEGER;

/** Outcomes of the requests of an attempt, from the cloud. */
export interface SettledSends {
  /** Null when all outcomes were already known. */
  probed: ProbeResult | null;
  journal: ActionAttemptJournal;
}

/**
 * Checks the cloud until each request without a response is visible or can no longer take effect, and journals the
 * result. No end state may be stored before that.
 */
export async function settleSends(
  run: PlanRun,
  action: ActionView,
  journal: ActionAttemptJournal,
): Promise<SettledSends> {
  run.halt.throwIfAborted();
  if (openSlots(journal).length === 0) return { probed: null, journal };
  run.deps.logger.info(
    { plan: run.plan.uuid, action: action.uuid },
    'waiting for the outcome of a request without a response',
  );
  const deadlineMs = run.clock.now() + noLimitMs;
  const scope = openActionScope(run, action, { journal, budgetMs: noLimitMs, deadlineMs });
  try {
    return await scope.call((context) => read(run, action, context));
  } finally {
    scope.close();
  }
}

async function read(run: PlanRun, action: ActionView, context: ActionContext): Promise<SettledSends> {
  const open = openSlots(context.journal.current());
  // A request that starts the operation is visible while the operation runs, a later request only at its end.
  const reporting: ProbeResult[] = open.includes('forward')
    ? ['applied', 'failed', 'in_progress']
    : ['applied', 'failed'];
  let until = 0;
  for (const slot of open) until = Math.max(until, (await silentSince(context, slot)) + lateEffectMs(context.options));
  for (;;) {
    const probed = await probeAction(run, action, context.journal.current());
    const isVisible = reporting.includes(probed);
    if (isVisible || run.clock.now() >= until) {
      await context.journal.result(outcomeOf(context, open, isVisible));
      return { probed, journal: context.journal.current() };
    }
    await context.sleep(context.options.pollIntervalMs);
  }
}

function outcomeOf({ journal }: ActionContext, slots: readonly string[], isVisible: boolean): JsonObject {
  const outcome: JsonObject = isVisible ? { accepted: true, seen: true } : { accepted: false };
  return Object.fromEntries(slots.map((slot) => [slot, { ...outcome, sends: sendsOf(journal.current(), slot) }]));
}
