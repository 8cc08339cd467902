import { afterEach, expect, test } from 'vitest';
import { dataOf, type Measured } from '#libs/client';
import { startTestStack, type TestStack } from './test-stack.ts';

let stack: TestStack | undefined;
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
});

const deviation = 'standard_deviation_before_audit';

interface Outcome extends Measured {
  before?: { goal: Record<string, number>; window_end: string };
  after?: { goal: Record<string, number>; window_start: string };
}

/** Standard deviation of the loads of all hosts in the simulator, in percent. */
async function spreadOf({ control }: TestStack): Promise<number> {
  return (await control<{ cpu_spread: { stddev: number } }>('/state')).cpu_spread.stddev;
}

async function recommendedPlan({ client }: TestStack): Promise<string> {
  const parameters = {
    thresholds: { instance_cpu_usage: 0.02 },
    periods: { instance: 5, compute_node: 5 },
    granularity: 1,
  };
  const body = { goal: 'workload_balancing', strategy: 'workload_stabilization', audit_type: 'ONESHOT', parameters };
  const created = await dataOf(client.api.POST('/v1/audits', { body: body as never }));
  const audit = await client.waitForAudit(created.uuid, { pollMs: 100, timeoutMs: 120_000 });
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: audit.uuid } });
  return plan!.uuid;
}

test('the values before and after a plan are those of the cloud, although the engine restarts between them', async () => {
  stack = await startTestStack({
    simulator: ['--generate', 'hosts=6,instances=48,seed=7,skew=3', '--speed', '0'],
    env: { VIGIL_OUTCOME_DELAY_SECONDS: '10', VIGIL_OUTCOME_BEFORE_SECONDS: '120' },
  });
  const { client, control } = stack;
  const engine = await stack.start(['decision-engine']);
  await stack.start(['applier']);
  const ident = await recommendedPlan(stack);
  const trueBefore = await spreadOf(stack);
  await control('/speed', { speed: 200 });
  await client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident } }, body: {} });
  await client.waitForActionPlan(ident, { pollMs: 100, timeoutMs: 120_000 });
  // The loads stay constant after the plan.
  await control('/speed', { speed: 0 });
  const trueAfter = await spreadOf(stack);
  const outcome = async () => {
    const call = client.api.GET('/v1/action_plans/{ident}/outcome', { params: { path: { ident } } });
    return (await dataOf(call)).outcome as unknown as Outcome;
  };
  expect((await outcome()).after).toBeUndefined();
  await engine.stop();
  await stack.start(['decision-engine']);

  await expect.poll(async () => (await outcome()).measurement?.state, { timeout: 120_000 }).toBe('ACHIEVED');

  const { before, after } = await outcome();
  expect(Math.abs(before!.goal[deviation]! * 100 - trueBefore)).toBeLessThan(1);
  expect(Math.abs(after!.goal[deviation]! * 100 - trueAfter)).toBeLessThan(1);
  expect(trueBefore - trueAfter).toBeGreaterThan(2);
  const { actions } = await dataOf(
    client.api.GET('/v1/action_plans/{ident}/timeline', { params: { path: { ident } } }),
  );
  const [starts, ends] = [
    actions.map(({ started_at: at }) => Date.parse(at)),
    actions.map((row) => Date.parse(row.ended_at!)),
  ];
  expect(Date.parse(before!.window_end)).toBeLessThanOrEqual(Math.min(...starts));
  expect(Date.parse(after!.window_start)).toBeGreaterThanOrEqual(Math.max(...ends));
});
