import { beforeEach, describe, expect, it } from 'vitest';
import type { ActionPlanEvent, JsonObject } from '#libs/domain';
import { at, fault, seedCatalogue, seedPlan, useTestApi } from '../../../../testing/test-api.ts';

const api = await useTestApi();
const seed = await seedCatalogue(api.store);
await api.store.db.actionDescriptions.replaceAll([
  { actionType: 'migrate', description: 'm', revertible: 'best-effort' },
  { actionType: 'change_nova_service_state', description: 's', revertible: 'exact' },
  { actionType: 'nop', description: 'n', revertible: 'impossible' },
]);
// All plans of these tests are on the same hosts.
beforeEach(async () => {
  const { actionPlans } = api.store.db;
  for (const { uuid } of await actionPlans.list({ filters: [{ field: 'state', value: 'PENDING' }] }))
    await actionPlans.transition(uuid, 'cancelBeforeStart');
});

const serverId = '11111111-2222-4333-8444-000000000001';
const move = { migration_type: 'live', resource_id: serverId, source_node: 'a', destination_node: 'b' };
const disable = { resource_id: 'a', resource_name: 'a', state: 'disabled' };

/** An ended plan: host a was disabled, a server moved to another host, and a third action had no effect. */
async function endedPlan(end: ActionPlanEvent = 'succeed') {
  const { db } = api.store;
  const { audit, plan } = await seedPlan(api.store, seed, { actions: 0 });
  const lease = { instance: audit.uuid, host: 'h', ttlMs: 60_000 };
  await db.actionPlans.transition(plan.uuid, 'start');
  const claimed = await db.actionPlans.claim(plan.uuid, lease);
  const fence = claimed?.fence ?? 0;
  const actions = [];
  const specs: [string, JsonObject][] = [
    ['change_nova_service_state', disable],
    ['migrate', move],
    ['nop', { message: 'm' }],
  ];
  for (const [actionType, inputParameters] of specs) {
    const parents = actions.slice(-1).map(({ uuid }) => uuid);
    const action = await db.actions.insert({
      uuid: crypto.randomUUID(),
      actionPlanId: plan.id,
      actionType,
      inputParameters,
      parents,
    });
    await db.actions.transition(action.uuid, 'begin');
    const attempt = await db.actionAttempts.open(action.id, fence);
    const intent = { began_ms: 1, forward: { former_status: 'enabled' }, backward: { of: 'an earlier try' } };
    await db.actionAttempts.write(attempt.id, fence, { phase: 'intent', intent });
    await db.actions.transition(action.uuid, 'succeed');
    actions.push(action);
  }
  if (end === 'finishCancel') await db.actionPlans.transition(plan.uuid, 'requestCancel');
  await db.actionPlans.transition(plan.uuid, end);
  return { plan, actions };
}

const pathOf = (uuid: string) => `/v1/action_plans/${uuid}/rollback`;
const rollBack = (uuid: string, body?: object, headers = {}) => api.send('POST', pathOf(uuid), body, headers);
const show = async (uuid: string) => (await api.get(pathOf(uuid))).json();

describe('the preview', () => {
  it('shows verdicts and order, and changes nothing', async () => {
    const { plan, actions } = await endedPlan();
    const [service, migration, nop] = actions.map(({ uuid }) => uuid);
    expect(await show(plan.uuid)).toMatchObject({
      possible: true,
      reason: null,
      verdict: 'impossible',
      rolls_back: null,
      rollback_plan_uuid: null,
      actions: [
        {
          action_uuid: service,
          stage: 1,
          verdict: 'exact',
          summary: 'Enables the nova-compute service of a again',
        },
        {
          action_uuid: migration,
          stage: 2,
          verdict: 'best-effort',
          summary: `Moves instance ${serverId} back to a`,
          rollback_state: null,
        },
        { action_uuid: nop, stage: null, verdict: 'impossible', summary: 'This nop cannot be undone' },
      ],
    });
    expect(await api.store.db.actionPlans.count([{ field: 'rollsBack', value: plan.uuid }])).toBe(0);
  });

  it('says why a plan cannot be rolled back', async () => {
    const { plan } = await seedPlan(api.store, seed);
    const reason = "Couldn't roll back when state is 'RECOMMENDED'.";
    expect(await show(plan.uuid)).toMatchObject({ possible: false, reason, actions: [] });
    expect(fault(await rollBack(plan.uuid))).toEqual({ status: 400, text: reason });
  });
});

describe('the rollback', () => {
  it.each<ActionPlanEvent>(['succeed', 'fail', 'finishCancel'])(
    'of a plan that ended by %s is a separate plan that is launched',
    async (end) => {
      const { plan, actions } = await endedPlan(end);
      const response = await rollBack(plan.uuid, { max_workers: 3 }, at(7));
      expect(response.statusCode, response.body).toBe(201);
      const { uuid, state } = response.json();
      expect(state).toBe('PENDING');
      expect(response.headers.location).toMatch(`/v1/action_plans/${uuid}`);
      const row = await api.store.db.actionPlans.get(uuid);
      expect(row).toMatchObject({ rollsBack: plan.uuid, auditId: plan.auditId, launchSeq: 1, maxWorkers: 3 });
      const [first, second, ...others] = await api.store.db.actions.listByPlan(uuid);
      expect(others).toEqual([]);
      expect(first).toMatchObject({
        actionType: 'revert',
        parents: [],
        inputParameters: {
          action_uuid: actions[0]?.uuid,
          action_type: 'change_nova_service_state',
          resource_name: 'a',
        },
      });
      expect(second).toMatchObject({ parents: [first?.uuid], inputParameters: { input_parameters: move } });
      expect(first?.inputParameters.journal).toEqual({
        intent: { began_ms: 1, forward: { former_status: 'enabled' } },
        result: null,
      });
      expect((await api.get(`/v1/action_plans/${uuid}/outcome`)).json()).toMatchObject({ rolls_back: plan.uuid });
    },
  );

  it('is created once for any number of simultaneous requests', async () => {
    const { plan } = await endedPlan();
    const responses = await Promise.all([1, 2, 3].map(() => rollBack(plan.uuid)));
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
    expect(await show(plan.uuid)).toMatchObject({ possible: false, rollback_plan_state: 'PENDING' });
  });

  it('is made once for one Idempotency-Key', async () => {
    const { plan } = await endedPlan();
    const headers = { 'Idempotency-Key': `roll-back-${plan.uuid}` };
    const [first, again] = [await rollBack(plan.uuid, {}, headers), await rollBack(plan.uuid, {}, headers)];
    expect([again.statusCode, again.json().uuid]).toEqual([201, first.json().uuid]);
  });

  it('may be repeated for the remaining actions, and cannot be undone', async () => {
    const { db } = api.store;
    const { plan, actions } = await endedPlan();
    const { uuid } = (await rollBack(plan.uuid)).json();
    const [enable, back] = await db.actions.listByPlan(uuid);
    await db.actionPlans.transition(uuid, 'claim');
    for (const [action, event] of [
      [enable, 'succeed'],
      [back, 'fail'],
    ] as const) {
      await db.actions.transition(action?.uuid ?? '', 'begin');
      await db.actions.transition(action?.uuid ?? '', event, { set: { statusMessage: 'told' } });
    }
    await db.actionPlans.transition(uuid, 'fail');
    const after = await show(plan.uuid);
    expect(after).toMatchObject({ possible: true, rollback_plan_uuid: uuid, rollback_plan_state: 'FAILED' });
    const stateOf = (wanted?: string) =>
      after.actions.find((one: { action_uuid: string }) => one.action_uuid === wanted);
    expect(stateOf(actions[0]?.uuid)).toMatchObject({ stage: null, rollback_state: 'SUCCEEDED' });
    expect(stateOf(actions[1]?.uuid)).toMatchObject({
      stage: 1,
      rollback_action_uuid: back?.uuid,
      rollback_state: 'FAILED',
      rollback_message: 'told',
    });
    const second = (await rollBack(plan.uuid)).json().uuid;
    expect((await db.actions.listByPlan(second)).map(({ inputParameters }) => inputParameters.action_uuid)).toEqual([
      actions[1]?.uuid,
    ]);
    expect(fault(await rollBack(uuid))).toEqual({ status: 400, text: `Nothing of action plan ${uuid} can be undone` });
  });
});

describe('actions to skip', () => {
  it('are skipped with the start, all or none', async () => {
    const { plan, actions } = await seedPlan(api.store, seed, { actions: 3 });
    const other = await seedPlan(api.store, seed);
    const start = (uuids: unknown[]) =>
      api.send('POST', `/v1/action_plans/${plan.uuid}/start`, { skip_actions: uuids });
    expect((await start([actions[0]?.uuid, other.actions[0]?.uuid])).statusCode).toBe(400);
    expect((await start(['x'])).statusCode).toBe(400);
    const rows = () => api.store.db.actions.listByPlan(plan.uuid);
    expect((await rows()).map(({ state }) => state)).toEqual(['PENDING', 'PENDING', 'PENDING']);
    expect((await start([actions[0]?.uuid, actions[2]?.uuid])).statusCode).toBe(200);
    expect((await rows()).map(({ state, statusMessage }) => [state, statusMessage])).toEqual([
      ['SKIPPED', 'Action skipped by user.'],
      ['PENDING', null],
      ['SKIPPED', 'Action skipped by user.'],
    ]);
  });
});
