import { expect, it } from 'vitest';
import { createMetrics } from '#libs/service-kit';
import { seedCatalogue, useTestApi } from '../testing/test-api.ts';

const clock = { now: () => 1_767_225_600_000 };
const metrics = createMetrics('test');
const api = await useTestApi({ clock, metrics });
await seedCatalogue(api.store);
const template = (name: string) => ({ name, goal: 'dummy' });
const mallory = { 'X-User-Id': 'mallory', 'X-Roles': 'member' };

async function stored(user: string): Promise<{ status: number; count: number }[]> {
  const { rows } = await api.sql.query(
    'SELECT status, count(*)::int AS count FROM audit_log WHERE user_id = $1 GROUP BY status ORDER BY status',
    [user],
  );
  return rows;
}

it('the audit log stores a bounded number of refusals of a user, and counts the others', async () => {
  for (let round = 0; round < 80; round += 1) {
    const refused = await api.send('POST', '/v1/audit_templates', template(`refused-${round}`), mallory);
    expect(refused.statusCode).toBe(403);
  }
  await expect.poll(() => stored('mallory')).toEqual([{ status: 403, count: 60 }]);
  expect((await metrics.expose()).body).toMatch(/vigil_audit_log_unkept_total\{[^}]*status="403"[^}]*\} 20/);
});

it('the audit log stores every change of a user whose refusals are over the bound', async () => {
  for (let round = 0; round < 3; round += 1) {
    const body = template(`made-${round}`);
    expect((await api.send('POST', '/v1/audit_templates', body, { 'X-User-Id': 'mallory' })).statusCode).toBe(201);
  }
  await expect.poll(() => stored('mallory')).toContainEqual({ status: 201, count: 3 });
});

it('the bound of one user does not apply to another user', async () => {
  const other = { 'X-User-Id': 'olga', 'X-Roles': 'member' };
  await api.send('POST', '/v1/audit_templates', template('other'), other);
  await expect.poll(() => stored('olga')).toEqual([{ status: 403, count: 1 }]);
});

it('bad input with status 500 is bounded like a refusal', async () => {
  const headers = { 'X-User-Id': 'peter' };
  const scope = [{ compute: [{ host_aggregates: 'none' }] }];
  let status = 0;
  for (let round = 0; round < 70; round += 1) {
    const refused = await api.send('POST', '/v1/audit_templates', { ...template(`bad-${round}`), scope }, headers);
    status = refused.statusCode;
    expect(status).toBe(500);
  }
  await expect.poll(() => stored('peter')).toEqual([{ status, count: 60 }]);
});
