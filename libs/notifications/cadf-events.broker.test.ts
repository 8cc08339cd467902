import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import type { AuditLogEntry } from '#libs/store';
import { type NotifierFixture, useNotifierFixture } from './testing/notifier-fixture.ts';

let store: NotifierFixture['store'];
let received: NotifierFixture['received'];

const fixture = await useNotifierFixture();
({ store, received } = fixture);
afterEach(() => fixture.reset());

it('the audit log is published as CADF events only if configured', async () => {
  const entry: AuditLogEntry = {
    ...{ uuid: randomUUID(), at: '2026-11-22T10:00:00.000Z', requestId: `req-${randomUUID()}`, globalRequestId: null },
    ...{ userId: 'u1', userName: 'ann', projectId: 'p1', projectName: 'admin', roles: ['admin'], address: '10.0.0.7' },
    ...{ method: 'POST', route: '/v1/audits', operation: 'create_audit', targetKind: 'audit', target: null },
    ...{ status: null, summary: '' },
  };
  const silent = await fixture.start();
  await store.db.auditLog.record([{ ...entry, uuid: randomUUID(), status: 201 }]);
  const { action } = await fixture.world();
  await store.db.actions.transition(action.uuid, 'begin');
  await expect.poll(fixture.types).toContain('action.execution.start');
  expect(fixture.types().filter((type) => type.startsWith('audit.http'))).toEqual([]);
  await silent.stop();
  received.length = 0;

  await fixture.start({ level: 'none', auditLog: true });
  await store.db.actions.transition(action.uuid, 'succeed');
  await store.db.auditLog.record([entry]);
  await store.db.auditLog.record([{ ...entry, status: 201, target: action.uuid }]);
  await fixture.seen(2);
  expect(received.map(({ routingKey }) => routingKey)).toEqual(['notifications.info', 'notifications.info']);
  expect(fixture.types()).toEqual(['audit.http.request', 'audit.http.response']);
  const [request, response] = received.map(({ message }) => message);
  expect(request).toMatchObject({ priority: 'INFO', publisher_id: 'infra-optim:controller-1' });
  expect(request?.payload).toMatchObject({ id: entry.uuid, action: 'create', outcome: 'pending' });
  expect(response?.payload).toMatchObject({
    ...{ id: entry.uuid, outcome: 'success', reason: { reasonType: 'HTTP', reasonCode: '201' } },
    target: { typeURI: 'service/infra-optim/audits', id: action.uuid },
  });
});
