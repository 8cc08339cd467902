import type { IdSource } from '#libs/domain';
import { type AuditTriggerBody, auditTrigger, type PlanLaunchBody, planLaunch } from '#libs/messaging';
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
    const body: PlanLaunchBody = {
      schema: 'plan.launch/1',
      plan_uuid: uuid,
      launch_seq: Math.max(1, work.launchSeq ?? 1),
      requested_by: 'recovery-coordinator',
    };
    await unit.outbox.add({ eventId: newUuid(), type: planLaunch.type, body });
    return;
  }
  if (fence !== null) await unit.audits.releaseLease(uuid, fence);
  const body: AuditTriggerBody = { schema: 'audit.trigger/1', audit_uuid: uuid, reason: 'recovery' };
  await unit.outbox.add({ eventId: newUuid(), type: auditTrigger.type, body });
}
