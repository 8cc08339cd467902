import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import type { Envelope } from '#libs/messaging';
import { insertAudit, insertGoal, insertStrategy, useStore } from '#tests';
import { createAuditTriggerHandler } from './audit-trigger-handler.ts';

const { store } = await useStore();

it('CW-9: a webhook whose message comes again after its audit has ended does not run the audit again', async () => {
  const strategy = await insertStrategy(store.db, await insertGoal(store.db));
  const { uuid } = await insertAudit(store.db, strategy, () => ({ auditType: 'EVENT' }));
  const handle = createAuditTriggerHandler({
    store,
    runner: { submit: async (claim) => (await claim()) !== null },
    lease: { instance: randomUUID(), host: 'engine', ttlMs: 600_000 },
    logger: silentLogger,
  });
  const message = (): Envelope => ({
    messageId: randomUUID(),
    type: 'audit.trigger',
    body: { schema: 'audit.trigger/1', audit_uuid: uuid, reason: 'webhook' },
    attempt: 0,
    timestamp: new Date(0).toISOString(),
  });
  const stateAfter = async (envelope: Envelope) => {
    expect(await handle(envelope)).toEqual({ kind: 'ack' });
    return (await store.db.audits.get(uuid)).state;
  };

  const first = message();
  expect(await stateAfter(first)).toBe('ONGOING');
  await store.db.audits.transition(uuid, 'succeed');
  expect(await stateAfter(first)).toBe('SUCCEEDED');
  expect(await stateAfter(message())).toBe('ONGOING');
});
