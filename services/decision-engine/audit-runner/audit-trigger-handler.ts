import { type Logger, StateConflictError } from '#libs/domain';
import type { Envelope, Handler } from '#libs/messaging';
import type { AuditView, LeaseRequest, Store, UnitOfWork } from '#libs/store';
import type { AuditRunner } from './audit-runner.ts';

/**
 * Handles `audit.trigger`: records the message and claims the audit in one transaction, and acknowledges after the
 * commit. Duplicates, and messages for audits that another engine holds, are acknowledged and dropped. So a webhook
 * during a run of its audit has no effect, and a webhook after the run starts a new run.
 */
export function createAuditTriggerHandler({
  store,
  runner,
  lease,
  logger,
}: {
  store: Store;
  runner: Pick<AuditRunner, 'submit'>;
  lease: LeaseRequest;
  logger: Logger;
}): Handler {
  async function claim(envelope: Envelope): Promise<AuditView | null> {
    const uuid = String(envelope.body.audit_uuid);
    return store.transaction(async (unit) => {
      const isNew = await unit.inbox.record('decision-engine', envelope.messageId);
      if (!isNew) return null;
      if (envelope.body.reason === 'webhook') await wakeEventAudit(unit, uuid);
      if (envelope.body.reason === 'recovery') {
        const abandoned = await unit.audits.takeOver(uuid, lease);
        if (abandoned) return abandoned;
      }
      return unit.audits.claim(uuid, lease);
    });
  }

  return async (envelope) => {
    const audit = await store.db.audits.find(String(envelope.body.audit_uuid));
    const claimed = await runner.submit(() => claim(envelope), {
      traceparent: envelope.traceparent,
      repeating: audit !== null && audit.auditType !== 'ONESHOT',
    });
    if (!claimed) logger.debug({ message: envelope.messageId, audit: envelope.body.audit_uuid }, 'nothing to claim');
    return { kind: 'ack' };
  };
}

/** An EVENT audit that ended, with success or failure, is PENDING again when its webhook is called. */
async function wakeEventAudit(unit: UnitOfWork, uuid: string): Promise<void> {
  const audit = await unit.audits.find(uuid);
  if (audit?.auditType !== 'EVENT' || (audit.state !== 'SUCCEEDED' && audit.state !== 'FAILED')) return;
  await unit.audits.transition(uuid, 'retrigger').catch((error: unknown) => {
    if (!(error instanceof StateConflictError)) throw error;
  });
}
