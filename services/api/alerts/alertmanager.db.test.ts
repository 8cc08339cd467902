// @needs alertmanager
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { atEnd } from '#tests';
import { startAlertmanager } from '../../../tests/servers/alertmanager-program.ts';
import { testServerUrl } from '../../../tests/servers/test-server-url.ts';
import { seedCatalogue, useTestApi } from '../testing/test-api.ts';

const api = await useTestApi();
await seedCatalogue(api.store);
const url = await api.listen();

const body = { audit_type: 'EVENT', goal: 'dummy', name: 'on-alert' };
const { uuid } = (await api.send('POST', '/v1/audits', body)).json();
const settings = { labels: { host: 'instance' }, repeat_seconds: 600 };
const { token } = (await api.send('POST', '/v1/audits/on-alert/alert_token', settings)).json();

/** The configuration that Vigil ships, with this API and shorter times. */
const configuration = readFileSync('deploy/prometheus/alertmanager-vigil.yaml', 'utf8')
  .replace('http://127.0.0.1:9322', url)
  .replace('/etc/prometheus/vigil-on-alert.token', 'vigil-on-alert.token')
  .replace('group_wait: 1m', 'group_wait: 0s')
  .replace('group_interval: 5m', 'group_interval: 1s')
  .replace('repeat_interval: 1h', 'repeat_interval: 1s');
const alertmanager = await startAlertmanager(testServerUrl('alertmanager'), configuration, {
  'vigil-on-alert.token': token,
});
atEnd(() => alertmanager.stop());

/** Sends an alert as Prometheus does. */
async function alert(endsAt?: Date): Promise<void> {
  const labels = { alertname: 'ComputeHostCpuHigh', instance: 'compute-1:9100', vigil_audit: 'on-alert' };
  const startsAt = new Date(Date.now() - 60_000).toISOString();
  const response = await fetch(`${alertmanager.url}/api/v2/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ labels, startsAt, ...(endsAt && { endsAt: endsAt.toISOString() }) }]),
  });
  expect(response.status).toBe(200);
}

async function notifications(result: string, reason: string): Promise<number> {
  const line = `vigil_alert_notifications_total{.*result="${result}",reason="${reason}".*} (\\d+)`;
  return Number(new RegExp(line).exec((await api.get('/metrics')).body)?.[1] ?? 0);
}

const patience = { timeout: 60_000, interval: 100 };

it('a real Alertmanager that fires, repeats and resolves has the audit run once', async () => {
  await alert();
  await expect.poll(() => notifications('started', 'group_fires'), patience).toBe(1);
  expect(await api.store.db.audits.get(uuid)).toMatchObject({ state: 'PENDING', alertScope: [{ host: 'compute-1' }] });

  await expect.poll(() => notifications('ignored', 'run_is_open'), patience).toBeGreaterThan(0);
  await api.store.db.audits.transition(uuid, 'claim');
  await api.store.db.audits.transition(uuid, 'succeed');
  await expect.poll(() => notifications('ignored', 'repeated'), patience).toBeGreaterThan(0);

  await alert(new Date());
  await expect.poll(() => notifications('ignored', 'resolved'), patience).toBeGreaterThan(0);
  expect(await api.store.db.audits.get(uuid)).toMatchObject({ state: 'SUCCEEDED', alertRun: null });
  expect(await notifications('started', 'group_fires')).toBe(1);
  const { rows } = await api.sql.query('SELECT count(*)::int AS runs FROM alert_runs');
  expect(rows).toEqual([{ runs: 1 }]);
  const sent = await api.sql.query("SELECT body ->> 'reason' AS reason FROM outbox WHERE type = 'audit.trigger'");
  expect(sent.rows).toEqual([{ reason: 'webhook' }]);
});

it('a token that was rotated is refused to a real Alertmanager', async () => {
  await api.send('POST', '/v1/audits/on-alert/alert_token/rotate');
  await alert();
  await expect.poll(() => notifications('refused', 'token'), patience).toBeGreaterThan(0);
  expect(await notifications('started', 'group_fires')).toBe(1);
});
