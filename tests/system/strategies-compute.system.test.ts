import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataOf } from '#libs/client';
import { silentLogger } from '#libs/domain';
import { createOpenStackCloud, openStackConfigFromEnv } from '#libs/openstack';
import { systemClock } from '#libs/service-kit';
import { expectFullReport } from './expect-full-report.ts';
import { noHistory, startTestStack, type TestStack } from './test-stack.ts';

interface SimulatedHost {
  name: string;
  status: string;
  servers: number;
  cpu_percent: number;
}
interface SimulatorState {
  cpu_spread: { stddev: number };
  hosts: SimulatedHost[];
}

interface Aim {
  level: number;
  term: string;
  after: number;
  bound: number;
}

const window = { period: 600, granularity: 1 };

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack({
    simulator: ['--generate', 'hosts=8,instances=56,seed=7,skew=3', '--speed', '300', ...noHistory],
  });
  await stack.start(['decision-engine']);
  await stack.start(['applier']);
});
afterAll(() => stack?.stop());

const state = () => stack.control<SimulatorState>('/state');

async function audit(strategy: string, parameters: object) {
  const { client } = stack;
  const { goal_name: goal } = await client.get('strategies', strategy);
  const created = await dataOf(
    client.api.POST('/v1/audits', {
      body: { goal, strategy, audit_type: 'ONESHOT', parameters, auto_trigger: false, force: false } as never,
    }),
  );
  const ended = await client.waitForAudit(created.uuid, { pollMs: 100, timeoutMs: 120_000 });
  expect(ended).toMatchObject({ state: 'SUCCEEDED' });
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: created.uuid } });
  await expectFullReport(client, created.uuid, plan!.uuid);
  const actions = await client.list('actions', { filters: { action_plan_uuid: plan!.uuid } });
  return { plan: plan!, actions };
}

async function execute(planUuid: string) {
  const { client } = stack;
  await client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident: planUuid } }, body: {} });
  const plan = await client.waitForActionPlan(planUuid, { pollMs: 100, timeoutMs: 120_000 });
  const actions = await client.list('actions', { filters: { action_plan_uuid: planUuid } });
  expect(plan).toMatchObject({ state: 'SUCCEEDED' });
  expect(new Set(actions.map((action) => action.state))).toEqual(new Set(['SUCCEEDED']));
  return actions;
}

/** Runs audit and plan. Returns the hosts before and after. */
async function run(strategy: string, parameters: object) {
  const before = await state();
  const { plan } = await audit(strategy, parameters);
  const actions = await execute(plan.uuid);
  return { before, actions, after: await state() };
}

/** Spreads the instances over all hosts. */
async function spreadOut(): Promise<void> {
  const { plan, actions } = await audit('allocation_balance', {});
  if (actions.length > 0) await execute(plan.uuid);
}

/** Deletes the ended plans, so that a second migration of an instance costs no more than the first. */
async function forgetMoves(): Promise<void> {
  const ended = await stack.client.list('action_plans', {});
  for (const { uuid } of ended)
    await stack.client.api.DELETE('/v1/action_plans/{ident}', { params: { path: { ident: uuid } } });
}

/** Enables the hosts that the previous test disabled, as an operator would. */
async function enableAll(): Promise<void> {
  const cloud = createOpenStackCloud(openStackConfigFromEnv(stack.env), { logger: silentLogger, clock: systemClock });
  const services = await cloud.compute.listServices();
  const disabled = services.filter(({ status }) => status === 'disabled');
  for (const { id } of disabled) await cloud.compute.setServiceStatus(id, 'enabled', null);
  await cloud.close();
}

function deviation(values: number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

const counts = ({ hosts }: SimulatorState) => hosts.map(({ servers }) => servers);
const occupied = (cloud: SimulatorState) => counts(cloud).filter((servers) => servers > 0).length;

test('dummy_with_scorer: scored messages are executed', async () => {
  const { actions } = await run('dummy_with_scorer', {});
  const messages = actions.flatMap(({ input_parameters }) => (input_parameters as { message?: string }).message ?? []);
  expect(messages.join('\n')).toMatch(/Detected Workload: \w+/);
  expect(messages.join('\n')).toMatch(/AVG Scorer result: \d/);
  const engines = await stack.client.list('scoring_engines');
  expect(engines.map(({ name }) => name).toSorted()).toEqual([
    'dummy_avg_scorer',
    'dummy_max_scorer',
    'dummy_min_scorer',
    'dummy_scorer',
  ]);
});

test('dummy_with_resize: the resize is planned after the migrations', async () => {
  const { actions } = await audit('dummy_with_resize', {});
  expect(actions.map(({ action_type }) => action_type).toSorted()).toEqual(
    ['migrate', 'migrate', 'nop', 'nop', 'resize', 'sleep'].toSorted(),
  );
  const resize = actions.find(({ action_type }) => action_type === 'resize');
  const migrations = actions.filter(({ action_type }) => action_type === 'migrate').map(({ uuid }) => uuid);
  expect([...(resize?.parents ?? [])].toSorted()).toEqual(migrations.toSorted());
});

test('actuator: the listed actions are executed', async () => {
  const { actions } = await run('actuator', {
    actions: [
      { action_type: 'nop', input_parameters: { message: 'by hand' } },
      { action_type: 'sleep', input_parameters: { duration: 1 } },
    ],
  });
  expect(actions.map(({ action_type }) => action_type).toSorted()).toEqual(['nop', 'sleep']);
});

test('workload_balance: no host stays above the threshold, and the spread falls', async () => {
  await stack.measureAnew(24 * 60);
  const { hosts } = await state();
  const loads = hosts.map(({ cpu_percent: cpu }) => cpu);
  const threshold = Math.max(...loads) * 0.8;
  const { before, after, actions } = await run('workload_balance', { threshold, ...window });
  expect(actions.length).toBeGreaterThan(0);
  expect(after.cpu_spread.stddev).toBeLessThan(before.cpu_spread.stddev);
});

test('allocation_balance: hosts differ by one instance at most, and a second audit finds nothing', async () => {
  const { before, after } = await run('allocation_balance', {});
  expect(deviation(counts(after))).toBeLessThan(deviation(counts(before)));
  expect(Math.max(...counts(after)) - Math.min(...counts(after))).toBeLessThanOrEqual(1);
  const again = await audit('allocation_balance', {});
  expect(again.actions).toEqual([]);
});

/** The few hosts of this cloud have no room to spare. */
const noReserve = { failure_reserve: 0 };

test.each(['specify', 'auto'])(
  'node_resource_consolidation, %s: fewer hosts carry the instances, and all are in service',
  async (choice) => {
    await spreadOut();
    await forgetMoves();
    const { before, after } = await run('node_resource_consolidation', { host_choice: choice, ...noReserve });
    expect(occupied(after)).toBeLessThan(occupied(before));
    expect(after.hosts.every(({ status }) => status === 'enabled')).toBe(true);
  },
);

test.each([
  ['balance_optimizer', { preset: 'even' }],
  ['placement_optimizer', { preset: 'balance' }],
])('%s: the spread falls, and the report has the distance to the best', async (strategy, preset) => {
  await stack.measureAnew();
  const before = await state();
  const { plan } = await audit(strategy, { max_moves: 6, time_limit: 1, period: window.period, ...preset });
  const ident = { params: { path: { ident: String(plan.audit_uuid) } } };
  const { report } = await dataOf(stack.client.api.GET('/v1/audits/{ident}/report', ident));
  expect(report).toMatchObject({ gap: expect.any(Number), search: { starts: 2, budget: 1_000_000 } });
  const aims = (report as unknown as { objective: Aim[] }).objective.filter(({ level }) => level === 2);
  expect(aims.map(({ term }) => term)).toEqual(['cpu_balance', 'memory_balance']);
  for (const aim of aims) expect(aim.after).toBeGreaterThanOrEqual(aim.bound - 1e-6);

  const actions = await execute(plan.uuid);
  expect(actions.length).toBeLessThanOrEqual(6);
  const after = await state();
  expect(deviation(counts(after))).toBeLessThan(deviation(counts(before)));
});

test.each([
  ['vm_workload_consolidation', { ...window, ...noReserve }],
  ['basic', { ...window, ...noReserve }],
  ['consolidation_optimizer', { period: window.period, reserve_hosts: 0, time_limit: 1 }],
])('%s: hosts are freed and disabled', async (strategy, parameters) => {
  await enableAll();
  await spreadOut();
  await forgetMoves();
  await stack.measureAnew();
  const { before, after } = await run(strategy, parameters);
  expect(occupied(after)).toBeLessThan(occupied(before));
  const freed = after.hosts.filter(({ status }) => status === 'disabled');
  expect(freed.length).toBeGreaterThan(0);
  expect(freed.every(({ servers }) => servers === 0)).toBe(true);
});
