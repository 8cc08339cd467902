import { expect, it } from 'vitest';
import { newSigningSecret, signatureHeaders } from '#libs/notification-targets';
import { atEnd, createTestContext, insertPlanWorld, useStore } from '#tests';
import { composeScheduler } from './compose.ts';
import { schedulerEnv } from './env.ts';
import { type ReceivedRequest, startReceiver } from './testing/recording-receiver.ts';

it('a scheduler delivers to a target of its configuration, and neither stores nor logs the secrets', async () => {
  const { store, url, sql } = await useStore();
  const receiver = await startReceiver();
  const secret = newSigningSecret();
  const lines: string[] = [];
  const target = {
    name: 'pager',
    url: `${receiver.url('/hook', 'localhost')}?key=hidden-word`,
    format: 'cloudevents',
    secret,
    bearer_token: 'hidden-token',
  };
  const env = {
    VIGIL_DATABASE_URL: url,
    VIGIL_NOTIFICATION_ALLOWED_HOSTS: 'http://localhost',
    VIGIL_NOTIFICATION_TARGETS: JSON.stringify([target]),
  };
  const context = createTestContext('scheduler', schedulerEnv, env, { onLine: (line) => lines.push(line) });
  atEnd(() => context.teardown.run());
  await composeScheduler(context);
  const isReading = async () =>
    (await sql.query(`SELECT name FROM change_log_readers WHERE name = 'notification-targets'`)).rows.length;
  await expect.poll(isReading, { timeout: 60_000 }).toBe(1);
  const { plan } = await insertPlanWorld(store.db);
  await expect.poll(() => receiver.requests.length, { timeout: 60_000 }).toBe(1);

  const { path, headers, body } = receiver.requests[0] as ReceivedRequest;
  expect(path).toBe('/hook?key=hidden-word');
  expect(headers.authorization).toBe('Bearer hidden-token');
  expect(JSON.parse(body)).toMatchObject({ specversion: '1.0', type: 'vigil.plan.recommended', subject: plan.uuid });
  const content = {
    deliveryUuid: String(headers['webhook-id']),
    timestamp: Number(headers['webhook-timestamp']),
    body,
  };
  expect(headers['webhook-signature']).toBe(signatureHeaders(secret, content)['webhook-signature']);

  const delivered = async () => (await context.metrics.expose()).body;
  await expect.poll(delivered, { timeout: 60_000 }).toMatch(/attempts_total\{[^}]*result="delivered"[^}]*\} 1/);
  const rows = ['notification_targets', 'notification_secrets', 'service_instances'].map(
    async (table) => (await sql.query(`SELECT * FROM ${table}`)).rows,
  );
  const seen = JSON.stringify([lines, await Promise.all(rows)]);
  for (const hidden of [secret, 'hidden-word', 'hidden-token']) expect(seen).not.toContain(hidden);
});
