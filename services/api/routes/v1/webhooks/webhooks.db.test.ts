import { describe, expect, it } from 'vitest';
import { fault, seedCatalogue, useTestApi } from '../../../testing/test-api.ts';

const api = await useTestApi();
await seedCatalogue(api.store);

async function newAudit(auditType: string): Promise<string> {
  const interval = auditType === 'CONTINUOUS' ? '60' : null;
  return (await api.send('POST', '/v1/audits', { audit_type: auditType, goal: 'dummy', interval })).json().uuid;
}
const call = (ident: string, body: unknown = {}, roles = 'admin') =>
  api.send('POST', `/v1/webhooks/${ident}`, body, { 'X-Roles': roles });

async function messages(): Promise<unknown[]> {
  const bodies: unknown[] = [];
  await api.store.outboxQueue.drain(100, async (rows) => {
    bodies.push(...rows.map(({ body }) => body));
    return rows.map(() => true);
  });
  return bodies;
}

describe('webhooks', () => {
  it.each(['admin', 'service'])('has an EVENT audit run for the role %s, again after it succeeded', async (role) => {
    const uuid = await newAudit('EVENT');
    await messages();
    for (const round of [1, 2]) {
      const response = await call(uuid, { any: [round] }, role);
      expect([response.statusCode, response.body]).toEqual([202, '']);
      expect(await messages()).toEqual([{ schema: 'audit.trigger/1', audit_uuid: uuid, reason: 'webhook' }]);
      await api.store.db.audits.transition(uuid, 'claim');
      await api.store.db.audits.transition(uuid, 'succeed');
    }
  });

  it('has an EVENT audit run that failed', async () => {
    const uuid = await newAudit('EVENT');
    await messages();
    await api.store.db.audits.transition(uuid, 'claim');
    await api.store.db.audits.transition(uuid, 'fail');
    expect((await call(uuid)).statusCode).toBe(202);
    expect((await api.store.db.audits.get(uuid)).state).toBe('PENDING');
    expect(await messages()).toHaveLength(1);
  });

  it('refuses others, other audits and other states', async () => {
    const uuid = await newAudit('EVENT');
    await messages();
    expect(fault(await call(uuid, {}, 'member'))).toEqual({
      status: 403,
      text: "Policy doesn't allow webhook:trigger to be performed.",
    });
    expect(fault(await call('nope')).status).toBe(404);
    expect(fault(await call(await newAudit('CONTINUOUS')))).toEqual({
      status: 400,
      text: 'Audit type CONTINUOUS is disallowed.',
    });
    await api.store.db.audits.transition(uuid, 'cancel');
    expect(fault(await call(uuid))).toEqual({ status: 400, text: 'Audit state CANCELLED is disallowed.' });
    expect(fault(await api.send('POST', `/v1/webhooks/${uuid}`))).toEqual({
      status: 400,
      text: 'Missing argument: "body"',
    });
    expect((await api.get('/v1/webhooks')).statusCode).toBe(405);
    expect(await messages()).toEqual([]);
  });
});
