import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { dataOf } from '#libs/client';
import { silentLogger } from '#libs/domain';
import { auditPreview, callRpc, isRefusal, modelGet } from '#libs/messaging';
import { createMessageBus } from '#libs/messaging/connect';
import { connectStore } from '#tests';
import { insertAudit } from '../builders.ts';
import { noHistory } from './test-stack.ts';
import { useTestStack } from './use-vigil.ts';
import type { VigilProcess } from './vigil-process.ts';

const engines = new Map<string, VigilProcess>();

const brokenPlugin = await mkdtemp(join(tmpdir(), 'vigil-plugin-'));
await writeFile(join(brokenPlugin, 'index.mjs'), 'export const plugins = [;');
const stack = await useTestStack({ simulator: ['--generate', 'hosts=6,instances=24,seed=5', ...noHistory] });
const store = await connectStore(stack.env.VIGIL_DATABASE_URL ?? '');
for (const host of ['one', 'two']) {
  const env = { VIGIL_HOST_ID: host, VIGIL_LEASE_SECONDS: '600', VIGIL_AUDIT_POLL_SECONDS: '1' };
  // The second audit must work although one of its plugins is broken.
  const plugins = host === 'two' ? { VIGIL_PLUGINS: brokenPlugin } : {};
  engines.set(host, await stack.start(['decision-engine'], { ...env, ...plugins }));
}

afterAll(async () => {
  await rm(brokenPlugin, { recursive: true, force: true });
});

it('a continuous audit outlives its template and the engine that runs it', async () => {
  const { api } = stack.client;
  const template = await dataOf(
    api.POST('/v1/audit_templates', { body: { name: 'every second', goal: 'dummy', strategy: 'dummy' } as never }),
  );
  const body = { audit_template_uuid: template.uuid, audit_type: 'CONTINUOUS', interval: '1' };
  const created = await dataOf(api.POST('/v1/audits', { body: body as never }));
  const audit = await store.db.audits.get(created.uuid);
  const plans = () => store.db.actionPlans.list({ filters: [{ field: 'auditId', value: audit.id }] });
  await expect.poll(async () => (await plans()).length, { interval: 50 }).toBeGreaterThan(1);

  const path = { params: { path: { ident: template.uuid } } };
  const other = [{ op: 'replace', path: '/strategy', value: 'dummy_with_scorer' }];
  await api.PATCH('/v1/audit_templates/{ident}', { ...path, body: other as never });
  await api.DELETE('/v1/audit_templates/{ident}', path);

  const { hostname } = await store.db.audits.get(audit.uuid);
  await engines.get(hostname ?? '')?.kill();
  const before = (await plans()).length;
  const afterDeath = async () => {
    await stack.sql(
      'UPDATE audits SET lease_expires_at = now() WHERE uuid = $1 AND hostname = $2 AND run_instance IS NOT NULL',
      [audit.uuid, hostname],
    );
    return (await plans()).length;
  };
  await expect.poll(afterDeath, { interval: 200 }).toBeGreaterThan(before + 1);
  const now = await store.db.audits.get(audit.uuid);
  expect([now.state, hostname, now.hostname]).toEqual(['ONGOING', hostname, hostname === 'one' ? 'two' : 'one']);
  expect([now.strategyName, now.statusMessage]).toEqual(['dummy', null]);
  const recommended = (await plans()).filter(({ state }) => state === 'RECOMMENDED');
  expect(recommended.length).toBe(1);
  await store.db.audits.transition(audit.uuid, 'cancel');
});

it('the remaining engine responds to requests about the cloud', async () => {
  const bus = await createMessageBus({
    databaseUrl: stack.env.VIGIL_DATABASE_URL ?? '',
    logger: silentLogger,
    appId: randomUUID(),
  });
  try {
    const model = await callRpc(bus, modelGet, { data_model_type: 'compute', audit: null });
    expect(isRefusal(model) ? model : model.context.length).toBeGreaterThanOrEqual(24);
    const question = { goal: 'dummy', parameters: { para2: 'seen' }, scope: [] };
    const preview = await callRpc(bus, auditPreview, question);
    expect(isRefusal(preview) ? preview : preview.actions.map((action) => action.input_parameters.message)).toContain(
      'seen',
    );
  } finally {
    await bus.close();
  }
});

it('a broken plugin is reported where the API can see it', async () => {
  expect(await store.db.pluginFaults.list()).toEqual([
    expect.objectContaining({ serviceName: 'watcher-decision-engine', host: 'two', plugin: brokenPlugin }),
  ]);
});

it('an abandoned audit runs before a starting engine has published its catalogue', async () => {
  for (const engine of engines.values()) await engine.kill();
  const audit = await insertAudit(store.db, await store.db.strategies.get('dummy'));
  await store.db.audits.claim(audit.uuid, { instance: randomUUID(), host: 'gone', ttlMs: 1 });
  const blocking = new pg.Client({ connectionString: stack.env.VIGIL_DATABASE_URL });
  await blocking.connect();
  await blocking.query('BEGIN; LOCK TABLE loaded_plugins IN ACCESS EXCLUSIVE MODE');
  const starting = stack.start(['decision-engine'], { VIGIL_HOST_ID: 'three', VIGIL_AUDIT_POLL_SECONDS: '1' });
  try {
    await expect.poll(async () => (await store.db.audits.get(audit.uuid)).state).toBe('SUCCEEDED');
  } finally {
    await blocking.end();
    await starting;
  }
});
