import { describe, expect, it } from 'vitest';
import { fault, seedCatalogue, useTestApi } from '../testing/test-api.ts';

const api = await useTestApi();
const seed = await seedCatalogue(api.store);

/** A notification as Alertmanager sends it. */
function notification(changes: { group?: string; status?: string; labels?: Record<string, string>[] } = {}) {
  const { group = 'hot', status = 'firing', labels = [{ instance: 'compute-1:9100' }] } = changes;
  return {
    version: '4',
    groupKey: `{}:{alertname="${group}"}`,
    truncatedAlerts: 0,
    status,
    receiver: 'vigil',
    groupLabels: { alertname: group },
    commonLabels: {},
    commonAnnotations: {},
    externalURL: 'http://alertmanager:9093',
    alerts: labels.map((one) => ({
      status,
      labels: { alertname: group, ...one },
      annotations: { summary: 'hot' },
      startsAt: '2026-11-28T09:00:00Z',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'http://prometheus:9090/graph',
      fingerprint: '0123456789abcdef',
    })),
  };
}

async function newAudit(auditType = 'EVENT'): Promise<string> {
  return (await api.send('POST', '/v1/audits', { audit_type: auditType, goal: 'dummy' })).json().uuid;
}

async function newReceiver(settings: object = {}): Promise<{ uuid: string; token: string }> {
  const uuid = await newAudit();
  return { uuid, token: (await api.send('POST', `/v1/audits/${uuid}/alert_token`, settings)).json().token };
}

const send = (uuid: string, token: string, body: unknown = notification()) =>
  api.send('POST', `/v1/webhooks/alertmanager/${uuid}`, body, { authorization: `Bearer ${token}` });

async function receipt(uuid: string, token: string, body?: unknown): Promise<string> {
  const response = await send(uuid, token, body);
  expect(response.statusCode).toBe(202);
  const { result, reason } = response.json();
  return `${result} ${reason}`;
}

async function runEnds(uuid: string): Promise<void> {
  await api.store.db.audits.transition(uuid, 'claim');
  await api.store.db.audits.transition(uuid, 'succeed');
}

async function triggers(): Promise<unknown[]> {
  const bodies: unknown[] = [];
  await api.store.outboxQueue.drain(100, async (rows) => {
    bodies.push(...rows.map(({ body }) => body));
    return rows.map(() => true);
  });
  return bodies;
}

describe('the token', () => {
  it('is shown when it is created and rotated, and at no other time', async () => {
    const uuid = await newAudit();
    const path = `/v1/audits/${uuid}/alert_token`;
    expect((await api.get(path)).statusCode).toBe(404);
    const made = await api.send('POST', path, { labels: { host: 'instance' }, repeat_seconds: 60 });
    expect(made.statusCode).toBe(201);
    expect(made.headers['cache-control']).toBe('no-store');
    const { token } = made.json();
    const shown = await api.get(path);
    expect(shown.json()).toMatchObject({
      valid: true,
      labels: { host: 'instance' },
      repeat_seconds: 60,
      used_at: null,
    });
    expect(shown.body).not.toContain(token);
    expect(fault(await api.send('POST', path, {})).status).toBe(409);

    const rotated = (await api.send('POST', `${path}/rotate`)).json();
    expect(rotated).toMatchObject({ labels: { host: 'instance' }, rotated_at: expect.any(String) });
    expect((await send(uuid, token)).statusCode).toBe(401);
    expect((await send(uuid, rotated.token)).statusCode).toBe(202);
    expect((await api.get(path)).json().used_at).not.toBeNull();

    expect((await api.send('DELETE', path)).statusCode).toBe(204);
    expect((await send(uuid, rotated.token)).statusCode).toBe(401);
    expect((await api.get(path)).json()).toMatchObject({ valid: false, revoked_at: expect.any(String) });
    for (const [method, suffix] of [
      ['DELETE', ''],
      ['PATCH', ''],
      ['POST', '/rotate'],
    ] as const)
      expect((await api.send(method, `${path}${suffix}`, method === 'PATCH' ? {} : undefined)).statusCode).toBe(404);
    const second = (await api.send('POST', path, {})).json();
    expect(second).toMatchObject({ valid: true, labels: {}, rotated_at: null, used_at: null });
    expect((await send(uuid, second.token)).statusCode).toBe(202);
  });

  it('is not stored in clear, neither in its table nor in the audit log', async () => {
    const { token } = await newReceiver();
    const secret = token.slice('vigil_alert_'.length);
    const { rows } = await api.sql.query(
      `SELECT count(*)::int AS found FROM (SELECT to_jsonb(r)::text AS line FROM alert_receivers r
       UNION ALL SELECT to_jsonb(l)::text FROM audit_log l
       UNION ALL SELECT to_jsonb(k)::text FROM idempotency_keys k) all_rows
       WHERE line LIKE '%' || $1 || '%'`,
      [secret],
    );
    expect(rows[0].found).toBe(0);
    expect(secret).toHaveLength(43);
  });

  it('is refused alike when it is wrong, missing, of another audit, or of no audit', async () => {
    const { uuid, token } = await newReceiver();
    const other = await newReceiver();
    const plain = await newAudit();
    const headers: Record<string, string>[] = [
      {},
      { authorization: 'Bearer x' },
      { authorization: `Basic ${token}` },
      { 'x-auth-token': token },
    ];
    const responses = [
      ...(await Promise.all(
        headers.map((sent) => api.send('POST', `/v1/webhooks/alertmanager/${uuid}`, notification(), sent)),
      )),
      await send(uuid, other.token),
      await send(plain, token),
      await send('nothing', token),
      await send(crypto.randomUUID(), token),
      await send(uuid, `${token}x`, 'no notification'),
    ];
    for (const response of responses) {
      expect([response.statusCode, response.headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(response.body).toBe(responses[0]?.body);
    }
  });

  it('is of EVENT audits only', async () => {
    const uuid = await newAudit('ONESHOT');
    const response = await api.send('POST', `/v1/audits/${uuid}/alert_token`, {});
    expect(fault(response)).toEqual({ status: 400, text: 'Audit type ONESHOT is disallowed.' });
  });

  it.each([
    [{ label: {} }, 'did you mean "labels"?'],
    [{ labels: { hosts: 'instance' } }, 'did you mean "host"?'],
    [{ labels: { host: 1 } }, 'labels.host'],
    [{ labels: { host: 'a b' } }, 'labels.host'],
    [{ labels: [] }, 'labels'],
    [{ repeat_seconds: -1 }, 'repeat_seconds'],
    [{ repeat_seconds: 604_801 }, 'repeat_seconds'],
    [{ repeat_seconds: '60' }, 'repeat_seconds'],
  ])('settings %j are refused', async (settings, text) => {
    const uuid = await newAudit();
    const refused = fault(await api.send('POST', `/v1/audits/${uuid}/alert_token`, settings));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(text);
  });

  it('keeps its settings apart: a change names only some of them', async () => {
    const { uuid, token } = await newReceiver({ labels: { zone: 'az' }, repeat_seconds: 5 });
    const path = `/v1/audits/${uuid}/alert_token`;
    expect((await api.send('PATCH', path, { repeat_seconds: 0 })).json()).toMatchObject({
      labels: { zone: 'az' },
      repeat_seconds: 0,
    });
    expect((await api.send('PATCH', path, { labels: {} })).json()).toMatchObject({ labels: {}, repeat_seconds: 0 });
    expect((await send(uuid, token)).statusCode).toBe(202);
  });
});

describe('a notification', () => {
  it('starts the audit with the scope of its alerts, and keeps the own scope', async () => {
    const { uuid, token } = await newReceiver({ labels: { host: 'instance', zone: 'az' } });
    await triggers();
    const labels: Record<string, string>[] = [
      { instance: 'compute-1:9100' },
      { instance: 'compute-2', az: 'z' },
      { instance: 'compute-1' },
      { x: 'y' },
    ];
    expect(await receipt(uuid, token, notification({ labels }))).toBe('started group_fires');
    expect(await triggers()).toEqual([{ schema: 'audit.trigger/1', audit_uuid: uuid, reason: 'webhook' }]);
    const audit = await api.store.db.audits.get(uuid);
    expect(audit).toMatchObject({
      state: 'PENDING',
      scope: [],
      alertScope: [{ host: 'compute-1' }, { host: 'compute-2', zone: 'z' }],
    });
    expect(audit.alertRun).not.toBeNull();
    await runEnds(uuid);
    expect((await api.store.db.audits.get(uuid)).alertRun).toBeNull();
  });

  it('is not run again while the run is open, nor within the time of a repetition', async () => {
    const { uuid, token } = await newReceiver({ repeat_seconds: 600 });
    expect(await receipt(uuid, token)).toBe('started group_fires');
    expect(await receipt(uuid, token)).toBe('ignored run_is_open');
    await api.store.db.audits.transition(uuid, 'claim');
    expect(await receipt(uuid, token)).toBe('ignored run_is_open');
    await api.store.db.audits.transition(uuid, 'succeed');
    expect(await receipt(uuid, token)).toBe('ignored repeated');
    await api.send('PATCH', `/v1/audits/${uuid}/alert_token`, { repeat_seconds: 0 });
    expect(await receipt(uuid, token)).toBe('started group_fires');
  });

  it('is not run again while the plan of its run is started', async () => {
    const { uuid, token } = await newReceiver({ repeat_seconds: 0 });
    expect(await receipt(uuid, token)).toBe('started group_fires');
    await runEnds(uuid);
    const audit = await api.store.db.audits.get(uuid);
    const plan = await api.store.db.actionPlans.insert({
      uuid: crypto.randomUUID(),
      auditId: audit.id,
      strategyId: seed.dummy.id,
      state: 'PENDING',
    });
    expect(await receipt(uuid, token)).toBe('ignored run_is_open');
    expect(await receipt(uuid, token, notification({ group: 'other' }))).toBe('queued audit_is_busy');
    await api.store.db.actionPlans.transition(plan.uuid, 'cancelBeforeStart');
  });

  it.each([
    ['resolved', notification({ status: 'resolved' })],
    ['resolved', { ...notification(), alerts: [] }],
    ['resolved', { ...notification(), alerts: notification({ status: 'resolved' }).alerts }],
    ['no_scope', notification({ labels: [{ job: 'node' }, { instance: '' }] })],
  ])('is ignored: %s', async (reason, body) => {
    const { uuid, token } = await newReceiver({ labels: { host: 'instance' } });
    await triggers();
    expect(await receipt(uuid, token, body)).toBe(`ignored ${reason}`);
    expect(await triggers()).toEqual([]);
    expect((await api.get(`/v1/audits/${uuid}/alert_token`)).json().used_at).not.toBeNull();
  });

  it('of a cancelled audit is ignored', async () => {
    const { uuid, token } = await newReceiver();
    await api.store.db.audits.transition(uuid, 'cancel');
    expect(await receipt(uuid, token)).toBe('ignored audit_is_closed');
  });

  it('makes a queue of one, in a storm too', async () => {
    const { uuid, token } = await newReceiver();
    await triggers();
    const groups = Array.from({ length: 30 }, (_, index) => notification({ group: `g${index}` }));
    const results = await Promise.all(groups.map((body) => receipt(uuid, token, body)));
    expect(results.filter((result) => result === 'started group_fires')).toHaveLength(1);
    expect(results.filter((result) => result === 'queued audit_is_busy')).toHaveLength(1);
    expect(results.filter((result) => result === 'ignored queue_is_full')).toHaveLength(28);
    const queued = groups[results.indexOf('queued audit_is_busy')];
    expect(await receipt(uuid, token, queued)).toBe('ignored is_queued');
    expect(await triggers()).toHaveLength(1);
    await runEnds(uuid);
    const startable = async () => (await api.store.db.alertRuns.listStartable(10)).map(({ auditUuid }) => auditUuid);
    expect(await startable()).toContain(uuid);
    await api.send('DELETE', `/v1/audits/${uuid}/alert_token`);
    expect(await startable()).not.toContain(uuid);
  });

  it('is once in the audit log when it has an effect, and not when it is ignored', async () => {
    const { uuid, token } = await newReceiver();
    await send(uuid, token);
    await send(uuid, token);
    await expect
      .poll(async () => {
        const { rows } = await api.sql.query(
          `SELECT user_name FROM audit_log WHERE target = $1 AND operation = 'receive_alerts' AND status = 202`,
          [uuid],
        );
        return rows;
      })
      .toEqual([{ user_name: expect.stringMatching(/^alert token of /) }]);
  });

  it.each([
    [{ ...notification(), version: '3' }, 'version'],
    [{ ...notification(), groupKey: 1 }, 'groupKey'],
    [{ ...notification(), groupKey: '' }, 'groupKey'],
    [{ ...notification(), groupKey: 'x'.repeat(16_385) }, 'groupKey'],
    [{ ...notification(), status: 'on' }, 'status'],
    [{ ...notification(), alerts: {} }, 'alerts'],
    [{ ...notification(), alerts: [null] }, 'alerts[0]'],
    [{ ...notification(), alerts: [{ status: 'firing' }] }, 'alerts[0].labels'],
    [{ ...notification(), alerts: [{ status: 'firing', labels: { a: 1 } }] }, 'alerts[0].labels.a'],
    [{ ...notification(), alerts: Array(1001).fill({ status: 'firing', labels: {} }) }, 'alerts'],
    [[], 'notification'],
  ])('that is malformed is refused with the name of the field (%#)', async (body, field) => {
    const { uuid, token } = await newReceiver();
    const refused = fault(await send(uuid, token, body));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(`attribute ${field}.`);
  });

  it('is counted by result and reason', async () => {
    const text = (await api.get('/metrics')).body;
    for (const labels of ['result="started",reason="group_fires"', 'result="refused",reason="token"'])
      expect(text).toContain(labels);
  });
});

it("Watcher's webhook has the whole scope run, also after a run of alerts", async () => {
  const { uuid, token } = await newReceiver({ labels: { host: 'instance' } });
  await receipt(uuid, token);
  expect((await api.send('POST', `/v1/webhooks/${uuid}`, {})).statusCode).toBe(202);
  expect((await api.store.db.audits.get(uuid)).alertScope).toBeNull();
  await runEnds(uuid);
  await receipt(uuid, token, notification({ group: 'other' }));
  await runEnds(uuid);
  expect((await api.store.db.audits.get(uuid)).alertScope).not.toBeNull();
  expect((await api.send('POST', `/v1/webhooks/${uuid}`, {})).statusCode).toBe(202);
  expect(await api.store.db.audits.get(uuid)).toMatchObject({ state: 'PENDING', alertScope: null });
});
