import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { silentLogger } from '#libs/domain';
import { upgradeSchema } from '#libs/store';
import { type PostgresPair, startPostgresPair } from '../servers/postgres-pair.ts';
import { startTestStack, type TestStack } from '../system/test-stack.ts';

let pair: PostgresPair;
let stack: TestStack;
const folder = mkdtempSync(join(tmpdir(), 'vigil-failover-'));
const known = join(folder, 'known.json');
beforeAll(async () => {
  pair = await startPostgresPair();
  await upgradeSchema(pair.url, { logger: silentLogger });
  stack = await startTestStack({
    simulator: ['--generate', 'hosts=4,instances=12,seed=3'],
    env: {
      VIGIL_DATABASE_URL: pair.url,
      VIGIL_GATE_PERIOD_SECONDS: '0.5',
      VIGIL_GATE_TRIES: '2',
      VIGIL_GATE_RETRY_SECONDS: '0.2',
      VIGIL_APPLIER_POLL_SECONDS: '1',
      VIGIL_AUDIT_POLL_SECONDS: '1',
    },
  });
  await stack.start(['decision-engine']);
  await stack.start(['applier'], { VIGIL_KNOWN_ENDPOINTS_PATH: known });
});
afterAll(async () => {
  await stack?.stop();
  await pair?.stop();
  rmSync(folder, { recursive: true });
});

async function startPlan(seconds: number): Promise<string> {
  const { client } = stack;
  const body = { goal: 'dummy', strategy: 'dummy', audit_type: 'ONESHOT', force: true, parameters: { para1: seconds } };
  const { uuid } = await dataOf(client.api.POST('/v1/audits', { body: body as never }));
  const audit = await client.waitForAudit(uuid, { pollMs: 100, timeoutMs: 120_000 });
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: audit.uuid } });
  await client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident: plan?.uuid ?? '' } }, body: {} });
  return plan?.uuid ?? '';
}

const isReady = async () => (await fetch(`${stack.api.url}/readyz`)).ok;

test('the standby takes over while a plan runs: every process continues automatically', async () => {
  // Longer than any pause of a process, because the plan has to run when the primary stops.
  const plan = await startPlan(10);
  const state = async () => (await stack.client.get('action_plans', plan)).state;
  await expect.poll(state).toBe('ONGOING');
  await pair.killPrimary();
  await expect.poll(isReady).toBe(false);
  const read = async () => {
    const requested = await stack.client.api.GET('/v1/action_plans/{ident}', { params: { path: { ident: plan } } });
    return `${requested.response.status} ${requested.response.headers.get('warning')} ${requested.data?.state}`;
  };
  await expect.poll(read).toMatch(/^200 110 .*may be old" ONGOING$/);
  const cancel = stack.client.api.PATCH('/v1/action_plans/{ident}', {
    params: { path: { ident: plan } },
    body: [{ op: 'replace', path: '/state', value: 'CANCELLED' }] as never,
  });
  await expect(cancel).rejects.toThrow('PostgreSQL is not available at the moment');
  await pair.promote();
  await expect.poll(isReady).toBe(true);
  const limit = { pollMs: 200, timeoutMs: 120_000 };
  await expect.poll(read).toMatch(/^200 null /);
  expect(await stack.client.waitForActionPlan(plan, limit)).toMatchObject({ state: 'SUCCEEDED' });
  expect(await stack.client.waitForActionPlan(await startPlan(1), limit)).toMatchObject({ state: 'SUCCEEDED' });
  const standby = new URL(pair.standbyUrl).host;
  await expect.poll(() => JSON.parse(readFileSync(known, 'utf8'))).toMatchObject({ postgresql: [standby] });
});
