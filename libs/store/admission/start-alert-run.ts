import type { AlertScope, IdSource } from '#libs/domain';
import { auditTrigger, message } from '#libs/messaging';
import type { UnitOfWork } from '../unit.ts';

/** Serializes the handling of alert notifications for an audit. Call it first in the transaction. */
export function lockAlerts(unit: UnitOfWork, auditUuid: string): Promise<void> {
  return unit.lock(`alerts:${auditUuid}`);
}

/**
 * Has an EVENT audit run for alerts: the audit becomes PENDING with the scope of the run, and the message that triggers
 * it is sent after the commit. If the message is lost, the poller of a decision engine claims the audit.
 * @throws StateConflictError when the audit is in a state that no trigger ends
 */
export async function startAlertRun(
  unit: UnitOfWork,
  auditUuid: string,
  { uuid, scope }: { uuid: string; scope: AlertScope },
  { newUuid, requestId }: { newUuid: IdSource; requestId?: string },
): Promise<void> {
  const audit = await unit.audits.get(auditUuid);
  const set = { alertRun: uuid, alertScope: scope };
  if (audit.state === 'PENDING') await unit.audits.update(auditUuid, set);
  else await unit.audits.transition(auditUuid, 'retrigger', { set });
  const sent = message(auditTrigger, { audit_uuid: auditUuid, reason: 'webhook' });
  await unit.outbox.add({ eventId: newUuid(), ...sent, ...(requestId === undefined ? {} : { requestId }) });
}

/**
 * Starts the queued run of an audit, if the audit is free. Call it in a transaction.
 * @returns whether it was started
 */
export async function startQueuedAlertRun(
  unit: UnitOfWork,
  { uuid, auditUuid, scope }: { uuid: string; auditUuid: string; scope: AlertScope },
  newUuid: IdSource,
): Promise<boolean> {
  await lockAlerts(unit, auditUuid);
  const audit = await unit.audits.find(auditUuid);
  if (audit === null || (await unit.alertRuns.place(audit.id)) !== 'free') return false;
  if (!(await unit.alertRuns.start(uuid))) return false;
  await startAlertRun(unit, auditUuid, { uuid, scope }, { newUuid });
  return true;
}
