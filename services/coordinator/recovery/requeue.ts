import type { IdSource } from '#libs/domain';
import { auditTrigger, message, planLaunch } from '#libs/messaging';
import type { OwnedWork, UnitOfWork } from '#libs/store';

type Work = Pick<OwnedWork, 'kind' | 'uuid' | 'launchSeq' | 'fence'>;

/**
 * Gives work to whoever is free: lets the lease of its former holder go and sends its message again, in the transaction of
 * `unit`. A holder that is alive with a newer fencing number keeps it, and the message finds nothing to do.
 */
export async function requeue(unit: UnitOfWork, work: Work, newUuid: IdSource): Promise<void> {
  const { kind, uuid, fence } = work;
  if (kind === 'plan') {
    if (fence !== null) await unit.actionPlans.releaseLease(uuid, fence);
    const launchSeq = Math.max(1, work.launchSeq ?? 1);
    const body = { plan_uuid: uuid, launch_seq: launchSeq, requested_by: 'recovery-coordinator' };
    await unit.outbox.add({ eventId: newUuid(), ...message(planLaunch, body) });
    return;
  }
  if (fence !== null) await unit.audits.releaseLease(uuid, fence);
  await unit.outbox.add({ eventId: newUuid(), ...message(auditTrigger, { audit_uuid: uuid, reason: 'recovery' }) });
}
