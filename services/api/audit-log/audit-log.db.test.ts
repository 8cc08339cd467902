import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readBuildVersion } from '#libs/service-kit';
import { runCli } from '../../cli/main.ts';
import { fault, seedCatalogue, useTestApi } from '../testing/test-api.ts';
import { follow } from '../testing/watch-client.ts';

const version = { 'X-Vigil-Internal-Version': readBuildVersion() };
const ann = { 'X-User-Id': 'u1', 'X-User-Name': 'ann', 'X-Project-Id': 'p1' };

const api = await useTestApi();
const sql = api.sql;
await seedCatalogue(api.store);
const url = await api.listen();

async function listed(query: string, count: number) {
  for (let round = 0; ; round += 1) {
    const response = await api.get(`/internal/audit-log?${query}`, version);
    expect(response.statusCode, response.body).toBe(200);
    const { entries } = response.json();
    const isDone = entries.length >= count && entries.every(({ status }: { status: unknown }) => status !== null);
    if (isDone || round > 1000) return entries;
    await sleep(20);
  }
}

it('the audit log has callers, requests and outcomes, without secrets', async () => {
  const created = await api.send(
    'POST',
    '/v1/audits',
    { audit_type: 'ONESHOT', goal: 'dummy', strategy: 'dummy', name: 'logged', parameters: { para2: 'hunter2' } },
    { ...ann, 'X-Forwarded-For': '10.1.1.1' },
  );
  const { uuid } = created.json();
  const cancel = [{ op: 'replace', path: '/state', value: 'CANCELLED' }];
  await api.send('PATCH', `/v1/audits/${uuid}`, cancel, ann);
  await api.send('DELETE', `/v1/audits/${uuid}`, undefined, { ...ann, 'X-Roles': 'member' });
  await api.send('POST', '/internal/tasks', { name: 'prune-outbox' }, { ...ann, ...version });
  const watcher = await api.send('POST', '/v1/watchers', {}, ann);
  expect(watcher.statusCode).toBe(201);
  const entries = await listed('user=u1', 4);
  expect(entries.map(({ operation, status }: Record<string, unknown>) => [operation, status])).toEqual([
    ['run_task', 202],
    ['delete_audit', 403],
    ['update_audit', 200],
    ['create_audit', 201],
  ]);
  expect(entries.at(-1)).toMatchObject({
    user_name: 'ann',
    project_id: 'p1',
    roles: ['admin'],
    method: 'POST',
    address: '127.0.0.1',
    route: '/v1/audits',
    target_kind: 'audit',
    target: uuid,
    request_id: created.headers['x-openstack-request-id'],
    summary: 'audit_type=ONESHOT, goal=dummy, strategy=dummy, name=logged, parameters={para2}',
  });
  expect(entries[2]).toMatchObject({ summary: 'replace /state CANCELLED', target: uuid });
  expect(await listed(`target=${uuid}&method=patch`, 1)).toHaveLength(1);
  expect(await listed('user=ann&target_kind=task', 1)).toHaveLength(1);
  expect(await listed('to=2020-01-01T00:00:00Z', 0)).toEqual([]);
  const [first, second] = await listed('user=ann&limit=2', 2);
  const rest = await listed(`user=ann&marker=${second.uuid}`, 2);
  expect(rest.map((entry: { uuid: string }) => entry.uuid)).not.toContain(first.uuid);
  expect(rest).toHaveLength(2);
  expect(fault(await api.get('/internal/audit-log?from=yesterday', version))).toMatchObject({ status: 400 });
});

it('commits the entry with the change, and completes it after the response', async () => {
  await sql.query(`
    CREATE TABLE seen (status integer);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO seen SELECT status FROM audit_log WHERE user_id = 'u2'; RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER note AFTER INSERT ON audit_templates DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION note()`);
  await api.send('POST', '/v1/audit_templates', { name: 'together', goal: 'dummy' }, { 'X-User-Id': 'u2' });
  // The entry existed when the change committed, still without an outcome.
  expect((await sql.query('SELECT * FROM seen')).rows).toEqual([{ status: null }]);
  await sql.query('DROP TRIGGER note ON audit_templates');
  expect(await listed('user=u2', 1)).toMatchObject([{ status: 201, operation: 'create_audit_template' }]);
});

it('fails no request and does not keep it waiting when it cannot be written, and catches up', async () => {
  await sql.query('BEGIN; LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE');
  const startedAt = performance.now();
  const made = await api.send(
    'POST',
    '/v1/audit_templates',
    { name: 'later\u0000', goal: 'dummy' },
    { 'X-User-Id': 'u3' },
  );
  const other = await api.send('POST', '/v1/audit_templates', { name: 'late', goal: 'dummy' }, { 'X-User-Id': 'u3' });
  expect(made.statusCode).toBeLessThan(500);
  expect(other.statusCode).toBe(201);
  // A writer that waits for the lock blocks until its statement is cancelled.
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  await sql.query('ROLLBACK');
  expect(await listed('user=u3', 2)).toMatchObject([{ status: 201 }, { operation: 'create_audit_template' }]);
});

it('is followed live, and printed by vigil audit-log', async () => {
  const followed = follow(url, { kinds: ['audit_log'] });
  await followed.until(() => followed.events.length > 0);
  expect(followed.state.size).toBeGreaterThan(5);
  await api.send('DELETE', '/v1/audit_templates/together', undefined, { 'X-User-Id': 'u4' });
  await followed.until(() => [...followed.state.values()].some(({ user_id: user }) => user === 'u4'));
  expect([...followed.state.values()].at(-1)).toMatchObject({ operation: 'delete_audit_template', status: 204 });
  await followed.stop();
  let out = '';
  const write = (text: string) => {
    out += text;
  };
  expect(await runCli(['--url', url, 'audit-log', '--user', 'u4', '--json'], { env: {}, out: write, err: write })).toBe(
    0,
  );
  expect(JSON.parse(out)).toMatchObject([{ target: 'together', status: 204 }]);
});

it('the chain of hashes shows a silent change to vigil audit-log verify', async () => {
  const verify = async (...words: string[]) => {
    let out = '';
    const write = (text: string) => {
      out += text;
    };
    const code = await runCli(['--url', url, 'audit-log', 'verify', '--json', ...words], {
      ...{ env: {}, out: write, err: () => undefined },
    });
    return { code, report: out === '' ? null : JSON.parse(out) };
  };
  await expect.poll(async () => (await verify()).report.unsealed, { timeout: 30_000 }).toBe(0);
  const before = await verify();
  expect(before).toMatchObject({ code: 0, report: { faults: [] } });
  expect(before.report.checked).toBeGreaterThan(5);
  expect((await verify('--last', before.report.last)).code).toBe(0);
  expect((await verify('--last', 'x')).code).not.toBe(0);
  await sql.query(`UPDATE audit_log SET user_name = 'eve' WHERE user_id = 'u4'`);
  const after = await verify();
  expect(after.code).not.toBe(0);
  expect(after.report.faults).toMatchObject([{ kind: 'changed' }]);
});

it('a summary has the state of any request, and says where it is cut', async () => {
  const other = { op: 'replace', path: '/name', value: 'x'.repeat(60) };
  const state = { op: 'replace', path: '/state', value: 'CANCELLED' };
  await api.send('PATCH', '/v1/audits/none', [...Array.from({ length: 20 }, () => other), state], {
    'X-User-Id': 'u5',
  });
  const [entry] = await listed('user=u5', 1);
  expect(entry.summary).toMatch(/^replace \/state CANCELLED, .*…$/);
});

it('a summary has the question of a what-if analysis', async () => {
  await api.send('POST', '/v1/what_if', { question: 'add', count: 1, like: 'secret-host' }, { 'X-User-Id': 'u6' });
  const [entry] = await listed('user=u6', 1);
  expect(entry.summary).toBe('question=add, count=1, like=…');
});

it('removes entries past their retention', async () => {
  await sql.query(`UPDATE audit_log SET at = now() - interval '91 days' WHERE user_id = 'u1'`);
  expect(await api.store.db.auditLog.prune(90 * 86_400)).toBe(4);
});
