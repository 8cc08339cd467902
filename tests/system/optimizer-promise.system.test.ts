import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { startTestStack, type TestStack } from './test-stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({
    simulator: ['--generate', 'hosts=60,instances=900,seed=5,skew=3', '--speed', '1000', '--sample-seconds', '30'],
    env: { VIGIL_MODEL_MAX_AGE_SECONDS: '1' },
  });
  for (const service of ['decision-engine', 'applier']) await stack.start([service]);
});
afterAll(() => stack?.stop());

/**
 * The memory term in the objective of an audit, and its plan. CPU terms are off, because CPU loads follow the time of
 * day.
 */
async function balanceMemory(moves: number) {
  const { client } = stack;
  const terms = { cpu_balance: 'off', hot_spots: 'off' };
  const parameters = { preset: 'balance', max_moves: moves, time_limit: 3, effort: 'best', min_gain: 0, terms };
  const body = { goal: 'placement_optimization', strategy: 'placement_optimizer', audit_type: 'ONESHOT', parameters };
  const { uuid } = await dataOf(client.api.POST('/v1/audits', { body: body as never }));
  expect((await client.waitForAudit(uuid, { pollMs: 200, timeoutMs: 120_000 })).state).toBe('SUCCEEDED');
  const { report } = await dataOf(client.api.GET('/v1/audits/{ident}/report', { params: { path: { ident: uuid } } }));
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: uuid } });
  return { plan, term: report?.objective?.find(({ term }) => term === 'memory_balance') };
}

test('an executed plan of the optimizer achieves the balance that it promised', async () => {
  const { client } = stack;
  const { plan, term: promised } = await balanceMemory(30);
  if (!plan || !promised) throw new Error('the optimizer made no plan');
  await client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident: plan.uuid } }, body: {} });
  const { state } = await client.waitForActionPlan(plan.uuid, { pollMs: 200, timeoutMs: 170_000 });
  expect(state).toBe('SUCCEEDED');
  const { term: achieved } = await balanceMemory(1);
  const gain = promised.before - promised.after;
  expect(gain).toBeGreaterThan(0);
  expect(Math.abs((achieved?.before ?? Number.NaN) - promised.after)).toBeLessThan(0.1 * gain);
});
