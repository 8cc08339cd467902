import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { findFreePorts } from '#libs/service-kit/embedded';
import { upgradeSchema } from '#libs/store';
import { type PostgresPair, startPostgresPair } from '../servers/postgres-pair.ts';
import { countMigrations, letPass, runAudit, standing } from '../system/run-loop.ts';
import { startTestStack, type TestStack } from '../system/test-stack.ts';
import type { VigilProcess } from '../system/vigil-process.ts';

let pair: PostgresPair;
let stack: TestStack;
const workers: VigilProcess[] = [];
const urls: string[] = [];
beforeAll(async () => {
  pair = await startPostgresPair();
  await upgradeSchema(pair.url, { logger: silentLogger });
  stack = await startTestStack({
    simulator: standing,
    env: {
      VIGIL_DATABASE_URL: pair.url,
      VIGIL_GATE_PERIOD_SECONDS: '0.5',
      VIGIL_GATE_TRIES: '2',
      VIGIL_GATE_RETRY_SECONDS: '0.2',
      VIGIL_APPLIER_POLL_SECONDS: '1',
      VIGIL_AUDIT_POLL_SECONDS: '1',
      VIGIL_OUTCOME_BEFORE_SECONDS: '0',
    },
  });
  const ports = await findFreePorts(2);
  for (const [place, name] of ['decision-engine', 'applier'].entries()) {
    workers.push(await stack.start([name], { VIGIL_HEALTH_PORT: String(ports[place]) }));
  }
  urls.push(stack.api.url ?? '', ...ports.map((port) => `http://127.0.0.1:${port}`));
});
afterAll(async () => {
  await stack?.stop();
  await pair?.stop();
});

const requested = async () => [...(await countMigrations(stack)).values()].reduce((sum, count) => sum + count, 0);

async function start(plan: string): Promise<void> {
  const body = { force_stale: true, max_workers: 1 } as never;
  const { response } = await stack.client.api.POST('/v1/action_plans/{ident}/start', {
    params: { path: { ident: plan } },
    body,
  });
  expect(response.ok).toBe(true);
}

test('an asynchronous standby takes over without the newest changes of a plan: no request is repeated', async () => {
  const { plan } = await runAudit(stack, 'host_maintenance', { maintenance_node: 'compute-1' });
  const actions = () => stack.client.list('actions', { filters: { action_plan_uuid: plan.uuid } });
  const moves = (await actions()).filter(({ action_type }) => action_type === 'migrate');
  expect(moves.length).toBeGreaterThan(5);
  await letPass(stack, 20);
  await start(plan.uuid);
  await expect.poll(requested).toBeGreaterThan(0);
  await pair.detach();
  const known = await requested();
  // The processes read the lineage of the database every 2 s.
  await expect.poll(requested).toBeGreaterThan(known + 2);
  await pair.killPrimary();
  await pair.promote();
  const state = async () => {
    const { data } = await stack.client.api.GET('/v1/action_plans/{ident}', { params: { path: { ident: plan.uuid } } });
    return `${data?.state}: ${data?.status_message}`;
  };
  await expect.poll(state).toMatch(/^SUSPENDED: Held: another database server took over, without the newest changes/);
  const metrics = async () => {
    const texts = urls.map(async (url) => (await fetch(`${url}/metrics`)).text());
    return (await Promise.all(texts)).join('\n').match(/^vigil_database_replaced_total\{verdict="cut_short".* 1$/gm);
  };
  await expect.poll(metrics).toHaveLength(1);
  expect([stack.api, ...workers].map((one) => one.output()).join('\n')).toContain(
    'took over without the newest changes',
  );

  await start(plan.uuid);
  const ended = await stack.client.waitForActionPlan(plan.uuid, { pollMs: 200, timeoutMs: 120_000 });
  const rows = await actions();
  expect(rows.map((row) => `${row.state} ${row.status_message}`)).toEqual(rows.map(() => 'SUCCEEDED null'));
  expect(ended.state).toBe('SUCCEEDED');
  expect(await requested()).toBe(moves.length);
}, 240_000);
