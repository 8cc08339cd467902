import { describe, expect, it } from 'vitest';
import { runSql } from '#tests';
import { at, fault, seedCatalogue, seedPlan, useTestApi } from '../../testing/test-api.ts';

const api = await useTestApi();
const seed = await seedCatalogue(api.store);

const key = (text: string, more: Record<string, string> = {}) => ({ 'Idempotency-Key': text, ...more });
const audit = { audit_type: 'ONESHOT', goal: 'dummy', strategy: 'dummy' };

describe('Idempotency-Key', () => {
  it('executes a request once and repeats its response', async () => {
    const before = await api.store.db.audits.count();
    const first = await api.send('POST', '/v1/audits', audit, key('a', at(7)));
    const again = await api.send('POST', '/v1/audits', audit, key('a', at(7)));
    expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
    expect(again.json()).toEqual(first.json());
    expect(again.headers.location).toBe(first.headers.location);
    expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([undefined, 'true']);
    expect(await api.store.db.audits.count()).toBe(before + 1);
  });

  it('holds for requests at the same time', async () => {
    const before = await api.store.db.auditTemplates.count();
    const body = { name: 'once', goal: 'dummy' };
    const responses = await Promise.all(
      [1, 2, 3, 4].map(() => api.send('POST', '/v1/audit_templates', body, key('race'))),
    );
    expect(await api.store.db.auditTemplates.count()).toBe(before + 1);
    for (const { statusCode } of responses) expect([201, 409]).toContain(statusCode);
  });

  it('is refused for another request, separate per caller, and free again after a failure', async () => {
    await api.send('POST', '/v1/audits', audit, key('b'));
    const other = fault(await api.send('POST', '/v1/audits', { ...audit, name: 'x' }, key('b')));
    expect(other).toEqual({ status: 422, text: 'The Idempotency-Key was used for another request' });
    const own = await api.send('POST', '/v1/audits', { ...audit, name: 'x' }, key('b', { 'X-User-Id': 'somebody' }));
    expect(own.statusCode).toBe(201);
    expect((await api.send('POST', '/v1/audits', { ...audit, goal: 'nope' }, key('c'))).statusCode).toBe(404);
    expect((await api.send('POST', '/v1/audits', audit, key('c'))).statusCode).toBe(201);
    expect((await api.send('POST', '/v1/audits', audit, key('x'.repeat(256)))).statusCode).toBe(400);
  });

  it('returns the result of a request whose response was lost', async () => {
    const { plan } = await seedPlan(api.store, seed);
    await api.send('POST', '/v1/audits', { audit_type: 'EVENT', goal: 'dummy', name: 'lost-event' });
    const requests = [
      ['/v1/audits', audit],
      ['/v1/audit_templates', { name: 'lost', goal: 'dummy' }],
      [`/v1/action_plans/${plan.uuid}/start`, {}],
      ['/v1/webhooks/lost-event', {}],
    ] as const;
    for (const [path, body] of requests) {
      const first = await api.send('POST', path, body, key(path));
      expect(first.statusCode, path).toBeLessThan(300);
      await runSql(api.databaseUrl, 'UPDATE idempotency_keys SET status = NULL, headers = NULL, body = NULL');
      for (const kind of ['made anew', 'kept']) {
        const again = await api.send('POST', path, body, key(path));
        expect(
          [again.statusCode, again.body, again.headers.location, again.headers['idempotency-replayed']],
          kind,
        ).toEqual([first.statusCode, first.body, first.headers.location, 'true']);
      }
    }
  });

  it('holds for starts and webhooks', async () => {
    const { plan } = await seedPlan(api.store, seed);
    for (const replayed of [undefined, 'true']) {
      const response = await api.send('POST', `/v1/action_plans/${plan.uuid}/start`, {}, key('start'));
      expect([response.statusCode, response.json().state]).toEqual([200, 'PENDING']);
      expect(response.headers['idempotency-replayed']).toBe(replayed);
    }
    const event = await api.send('POST', '/v1/audits', { audit_type: 'EVENT', goal: 'dummy', name: 'event' });
    expect(event.statusCode).toBe(201);
    for (const replayed of [undefined, 'true']) {
      const response = await api.send('POST', '/v1/webhooks/event', {}, key('hook'));
      expect([response.statusCode, response.body, response.headers['content-length']]).toEqual([202, '', '0']);
      expect(response.headers).not.toHaveProperty('content-type');
      expect(response.headers['idempotency-replayed']).toBe(replayed);
    }
  });
});

describe('If-Match', () => {
  it('holds changes to the version that was read', async () => {
    const created = await api.send('POST', '/v1/audit_templates', { name: 'match', goal: 'dummy' });
    const path = `/v1/audit_templates/${created.json().uuid}`;
    const describeAs = (value: string, tag: string) =>
      api.send('PATCH', path, [{ op: 'replace', path: '/description', value }], { 'If-Match': tag });
    const { etag } = (await api.get(path)).headers;
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect((await describeAs('one', String(etag))).statusCode).toBe(200);
    expect(fault(await describeAs('two', String(etag)))).toEqual({
      status: 412,
      text: 'The object has changed since it was read',
    });
    expect((await api.send('DELETE', path, undefined, { 'If-Match': String(etag) })).statusCode).toBe(412);
    expect((await describeAs('two', '*')).statusCode).toBe(200);
    const now = String((await api.get(path)).headers.etag);
    expect((await api.send('DELETE', path, undefined, { 'If-Match': `"x", ${now}` })).statusCode).toBe(204);
  });

  it('holds for audits, plans and actions', async () => {
    const {
      audit: { uuid },
      plan,
      actions,
    } = await seedPlan(api.store, seed);
    const stale = { 'If-Match': '"old"', ...at(7) };
    const skip = [{ op: 'replace', path: '/state', value: 'SKIPPED' }];
    const cancel = [{ op: 'replace', path: '/state', value: 'CANCELLED' }];
    expect((await api.send('PATCH', `/v1/actions/${actions[0]?.uuid}`, skip, stale)).statusCode).toBe(412);
    expect((await api.send('PATCH', `/v1/action_plans/${plan.uuid}`, cancel, stale)).statusCode).toBe(412);
    expect((await api.send('DELETE', `/v1/action_plans/${plan.uuid}`, undefined, stale)).statusCode).toBe(412);
    expect((await api.send('PATCH', `/v1/audits/${uuid}`, cancel, stale)).statusCode).toBe(412);
  });
});

describe('pause, resume and abort', () => {
  it('of plans in their states', async () => {
    const { plan } = await seedPlan(api.store, seed);
    const control = (name: string) => api.send('POST', `/v1/action_plans/${plan.uuid}/${name}`);
    const outcome = async () => (await api.get(`/v1/action_plans/${plan.uuid}/outcome`)).json();
    expect((await control('pause')).statusCode).toBe(200);
    expect(await outcome()).toMatchObject({ paused: true, abort_running: false });
    expect((await control('resume')).statusCode).toBe(200);
    expect(await outcome()).toMatchObject({ paused: false });
    await api.store.db.actionPlans.transition(plan.uuid, 'start', { set: { launchSeq: 1 } });
    await api.store.db.actionPlans.claim(plan.uuid, { instance: crypto.randomUUID(), host: 'h', ttlMs: 60_000 });
    expect((await control('abort')).json().state).toBe('CANCELLING');
    expect(await outcome()).toMatchObject({ abort_running: true });
    expect(fault(await control('pause'))).toEqual({ status: 400, text: "Couldn't pause when state is 'CANCELLING'." });
    const { plan: waiting } = await seedPlan(api.store, seed);
    const aborted = await api.send('POST', `/v1/action_plans/${waiting.uuid}/abort`);
    expect(aborted.json().state).toBe('CANCELLED');
  });

  it('are set with the start', async () => {
    const { plan } = await seedPlan(api.store, seed);
    const start = (body: object) => api.send('POST', `/v1/action_plans/${plan.uuid}/start`, body);
    for (const body of [
      { max_workers: 0 },
      { max_workers: 'x' },
      { window_cron: '0 22 * * *' },
      { window_cron: 'zxc', window_seconds: 60 },
      { window_zone: 'Europe/Berlin' },
      { window_cron: '0 22 * * *', window_seconds: 60, window_zone: '+02:00' },
      { window_start: '2026-01-02', window_end: '2026-01-01' },
      { on_failure: 'panic' },
      { max_workers: 2, other: 1 },
    ]) {
      expect((await start(body)).statusCode, JSON.stringify(body)).toBe(400);
    }
    expect(fault(await start({ window_cron: '0 0 30 2 *', window_seconds: 60 }))).toMatchObject({
      status: 400,
      text: expect.stringContaining('no time ever matches it'),
    });
    const misspelt = { window_cron: '0 22 * * *', window_seconds: 60, window_zone: 'Europe/Berlni' };
    expect(fault(await start(misspelt))).toMatchObject({
      status: 400,
      text: expect.stringMatching(/window_zone.*Europe\/Berlni.*did you mean Europe\/Berlin\?/),
    });
    const window = { window_cron: '0 22 * * *', window_seconds: 3600, window_zone: 'Europe/Berlin' };
    const body = { on_failure: 'rollback', max_workers: 2, ...window };
    expect((await start(body)).statusCode).toBe(200);
    expect((await api.get(`/v1/action_plans/${plan.uuid}/outcome`)).json()).toMatchObject(body);
  });
});
