import type { Logger } from '#libs/domain';
import type { Envelope, Handler, Verdict } from '#libs/messaging';
import type { Store } from '#libs/store';
import type { PlanRunner } from '../plan-runner/plan-runner.ts';

/** Consumer name for recorded messages. */
const consumer = 'applier';
/** Longest wait of a message for a free worker, in milliseconds. */
const slotWaitMs = 5000;

/**
 * Handles `plan.launch`: records the message and claims the plan in one transaction, and acknowledges after the
 * commit. After that the lease protects the plan. Duplicates, plans that are not PENDING, and messages of older
 * launches are acknowledged and dropped. Without a free worker, the plan waits for the next poll of any applier.
 */
export function createPlanLaunchHandler(deps: { store: Store; runner: PlanRunner; logger: Logger }): Handler {
  const { store, runner, logger } = deps;
  return async (envelope: Envelope): Promise<Verdict> => {
    const planUuid = String(envelope.body.plan_uuid);
    const fields = { message: envelope.messageId, plan: planUuid };
    const plan = await store.db.actionPlans.find(planUuid);
    if (plan === null) {
      return { kind: 'dead', reason: `action plan ${planUuid} is not known` };
    }
    const result = await runner.tryStart(
      {
        planUuid,
        // The coordinator relaunches plans whose applier died during the run.
        kind: plan.state === 'ONGOING' || plan.state === 'CANCELLING' ? 'taken_over' : 'claimed',
        launchSeq: Number(envelope.body.launch_seq),
        traceparent: envelope.traceparent,
        first: (unit) => unit.inbox.record(consumer, envelope.messageId),
      },
      slotWaitMs,
    );
    if (result === 'stopping') return { kind: 'retry', reason: 'the applier stops' };
    if (result !== 'started') logger.info({ ...fields, result }, 'launch message without a plan to start');
    return { kind: 'ack' };
  };
}
