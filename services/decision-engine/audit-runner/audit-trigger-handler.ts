import type { Logger } from '#libs/domain';
import type { Envelope, Handler } from '#libs/messaging';
import type { AuditView, LeaseRequest, Store } from '#libs/store';
import type { AuditRunner } from './audit-runner.ts';

/**
 * Handles `audit.trigger`: notes the message and claims the audit in one transaction, and acknowledges once that is
 * committed. A duplicate, or an audit that somebody else has, is acknowledged and dropped.
 */
export function createAuditTriggerHandler({
  store,
  runner,
  lease,
  logger,
}: {
  store: Store;
  runner: AuditRunner;
  lease: LeaseRequest;
  logger: Logger;
}): Handler {
  async function claim(envelope: Envelope): Promise<AuditView | null> {
    const uuid = String(envelope.body.audit_uuid);
    return store.transaction(async (unit) => {
      const isNew = await unit.inbox.record('decision-engine', envelope.messageId);
      return isNew ? unit.audits.claim(uuid, lease) : null;
    });
  }

  return async (envelope) => {
    const claimed = await runner.submit(() => claim(envelope));
    if (!claimed) logger.debug({ message: envelope.messageId, audit: envelope.body.audit_uuid }, 'nothing to claim');
    return { kind: 'ack' };
  };
}
