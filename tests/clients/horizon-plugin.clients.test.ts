import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientStack, startClientStack } from './client-stack.ts';
import { type HorizonPlugin, startHorizonPlugin } from './horizon-plugin.ts';

/** The requests of each view of Horizon's watcher plugin, made by its own client library against the running stack. */
let cloud: ClientStack;
let horizon: HorizonPlugin;

beforeAll(async () => {
  cloud = await startClientStack(['--generate', 'hosts=4,instances=12,seed=7', '--speed', '200']);
  const { stdout, code } = await cloud.openstack.run(['token', 'issue', '-f', 'value', '-c', 'id']);
  expect(code).toBe(0);
  horizon = await startHorizonPlugin(cloud.apiUrl, stdout.trim());
}, 240_000);
afterAll(async () => {
  await horizon?.close();
  await cloud?.stop();
});

type Row = Record<string, unknown> & { uuid: string };

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const rows = (version: string, manager: string, kwargs: object = {}) =>
  horizon.call(version, manager, 'list', [], { detail: true, ...kwargs }) as Promise<Row[]>;
const row = (version: string, manager: string, id: string) =>
  horizon.call(version, manager, 'get', [id]) as Promise<Row>;

async function newTemplate(name: string): Promise<Row> {
  const [goal] = (await rows('1.0', 'goal')).filter(({ name }) => name === 'dummy');
  const fields = { name, goal: goal?.uuid, strategy: null, description: '', scope: [] };
  return horizon.call('1.0', 'audit_template', 'create', [], fields) as Promise<Row>;
}

async function until(manager: string, id: string, state: string): Promise<Row> {
  let shown: Row | undefined;
  const read = async () => {
    shown = await row('1.1', manager, id);
    return shown.state;
  };
  await expect.poll(read, { interval: 200 }).toBe(state);
  return shown as Row;
}

/** An audit of the dummy strategy that has a plan. */
async function newPlan(name: string): Promise<{ audit: Row; plan: Row }> {
  const template = await newTemplate(name);
  const fields = { audit_template_uuid: template.uuid, audit_type: 'ONESHOT', auto_trigger: false };
  const created = (await horizon.call('1.0', 'audit', 'create', [], fields)) as Row;
  const audit = await until('audit', created.uuid, 'SUCCEEDED');
  const [plan] = await rows('1.0', 'action_plan', { audit: audit.uuid });
  return { audit, plan: plan as Row };
}

it('reads the newest microversion at the root', async () => {
  const root = await horizon.call('1.0', 'http', 'GET', ['/']);
  expect(root).toMatchObject({ versions: [{ id: 'v1', status: 'CURRENT', max_version: '1.7' }] });
});

describe('goals and strategies', () => {
  it('index and detail', async () => {
    const goals = await rows('1.0', 'goal');
    expect(goals.length).toBeGreaterThan(9);
    const goal = goals.find(({ name }) => name === 'server_consolidation') as Row;
    expect(goal).toMatchObject({ uuid, display_name: 'Server Consolidation' });
    expect(await row('1.0', 'goal', goal.uuid)).toMatchObject({
      created_at: expect.any(String),
      efficacy_specification: expect.arrayContaining([
        expect.objectContaining({ name: 'compute_nodes_count', unit: null, schema: expect.any(String) }),
      ]),
    });
    const strategies = await rows('1.0', 'strategy', { goal: goal.uuid });
    expect(strategies.map(({ name }) => name)).toEqual(expect.arrayContaining(['basic', 'vm_workload_consolidation']));
    const shown = await row('1.0', 'strategy', strategies[0]!.uuid);
    expect(shown).toMatchObject({ goal_name: 'server_consolidation', parameters_spec: expect.any(Object) });
  });
});

describe('audit templates', () => {
  it('create, index with filters, detail, delete', async () => {
    const template = await newTemplate('horizon-template');
    const filtered = await rows('1.0', 'audit_template', { goal: 'dummy' });
    expect(filtered).toContainEqual(
      expect.objectContaining({ uuid: template.uuid, name: 'horizon-template', goal_name: 'dummy' }),
    );
    expect(await row('1.0', 'audit_template', template.uuid)).toMatchObject({ strategy_name: null, scope: [] });
    await horizon.call('1.0', 'audit_template', 'delete', [template.uuid]);
    expect(await horizon.refusal('1.0', 'audit_template', 'get', [template.uuid])).toMatchObject({ error: 'NotFound' });
  });
});

describe('audits', () => {
  it('create with times, index, detail, cancel, archive', async () => {
    const template = await newTemplate('horizon-audits');
    const fields = {
      audit_template_uuid: template.uuid,
      audit_type: 'CONTINUOUS',
      auto_trigger: false,
      name: 'horizon audit',
      interval: '3600',
      start_time: '2099-01-01T00:00:00',
      end_time: '2099-02-01T00:00:00',
    };
    const created = (await horizon.call('1.1', 'audit', 'create', [], fields)) as Row;
    expect(await horizon.refusal('1.1', 'audit', 'create', [], fields)).toMatchObject({ error: 'Conflict' });
    expect(await rows('1.1', 'audit', { goal: 'dummy' })).toContainEqual(
      expect.objectContaining({
        uuid: created.uuid,
        name: 'horizon audit',
        audit_type: 'CONTINUOUS',
        state: 'PENDING',
      }),
    );
    expect(await row('1.1', 'audit', created.uuid)).toMatchObject({
      start_time: expect.stringContaining('2099-01-01T00:00:00'),
      end_time: expect.stringContaining('2099-02-01T00:00:00'),
      interval: '3600',
    });
    const cancel = [{ op: 'replace', path: '/state', value: 'CANCELLED' }];
    expect(await horizon.call('1.0', 'audit', 'update', [created.uuid, cancel])).toMatchObject({ state: 'CANCELLED' });
    await horizon.call('1.0', 'audit', 'delete', [created.uuid]);
  });
});

describe('action plans and actions', () => {
  it('index, detail, skip an action, start, archive', async () => {
    const { audit, plan } = await newPlan('horizon-plans');
    expect(plan).toMatchObject({
      uuid,
      audit_uuid: audit.uuid,
      state: 'RECOMMENDED',
      global_efficacy: expect.any(Array),
    });
    expect(await row('1.5', 'action_plan', plan.uuid)).toMatchObject({ status_message: null, efficacy_indicators: [] });
    const actions = await rows('1.0', 'action', { action_plan: plan.uuid });
    expect(actions.map(({ action_type }) => action_type).toSorted()).toEqual(['nop', 'nop', 'sleep']);
    const sleep = actions.find(({ action_type }) => action_type === 'sleep') as Row;
    expect(await row('1.5', 'action', sleep.uuid)).toMatchObject({
      input_parameters: { duration: expect.any(Number) },
      status_message: null,
    });
    const skip = [
      { op: 'replace', path: '/state', value: 'SKIPPED' },
      { op: 'replace', path: '/status_message', value: 'not today' },
    ];
    await horizon.call('1.5', 'http', 'PATCH', [`/v1/actions/${sleep.uuid}`], { body: skip });
    expect(await horizon.call('1.0', 'action_plan', 'start', [plan.uuid])).toMatchObject({ state: 'PENDING' });
    await until('action_plan', plan.uuid, 'SUCCEEDED');
    expect(await row('1.5', 'action', sleep.uuid)).toMatchObject({
      state: 'SKIPPED',
      status_message: expect.stringContaining('not today'),
    });
    expect(await horizon.refusal('1.0', 'action_plan', 'start', [plan.uuid])).toMatchObject({ error: 'BadRequest' });
    await horizon.call('1.0', 'action_plan', 'delete', [plan.uuid]);
  });

  it('wrong requests of the plugin are refused without harm', async () => {
    const { plan } = await newPlan('horizon-oddities');
    expect(await horizon.refusal('1.0', 'action', 'get', [plan.uuid])).toMatchObject({ error: 'NotFound' });
    expect(await horizon.refusal('1.0', 'action_plan', 'list', [], { audit: 'text', detail: true })).toMatchObject({
      error: 'BadRequest',
    });
    expect(await horizon.refusal('1.0', 'audit', 'list', [], { audit_template: plan.uuid })).toMatchObject({
      error: 'BadRequest',
    });
  });
});
