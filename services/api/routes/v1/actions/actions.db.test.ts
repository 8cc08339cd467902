import { describe, expect, it } from 'vitest';
import { at, fault, seedCatalogue, seedPlan, useTestApi } from '../../../testing/test-api.ts';

const api = await useTestApi();
const seed = await seedCatalogue(api.store);
await api.store.db.actionDescriptions.replaceAll([{ actionType: 'nop', description: 'does nothing' }]);

const patch = (uuid: string | undefined, operations: unknown, minor = 5) =>
  api.send('PATCH', `/v1/actions/${uuid}`, operations, at(minor));
const skip = { op: 'replace', path: '/state', value: 'SKIPPED' };
const message = (value: unknown) => ({ op: 'replace', path: '/status_message', value });
const listKeys = ['action_plan_uuid', 'action_type', 'links', 'parents', 'state', 'uuid'];
const fullKeys = [...listKeys, 'created_at', 'deleted_at', 'description', 'input_parameters', 'updated_at'];

describe('reading', () => {
  it('shows exactly the keys of its microversion', async () => {
    const { plan, audit, actions } = await seedPlan(api.store, seed);
    const [first, second] = actions;
    const single = (await api.get(`/v1/actions/${second?.uuid}`, at(4))).json();
    expect(Object.keys(single).sort()).toEqual([...fullKeys].sort());
    expect(single).toMatchObject({
      action_plan_uuid: plan.uuid,
      parents: [first?.uuid],
      description: 'does nothing',
      input_parameters: { message: 'm1' },
      state: 'PENDING',
    });
    expect((await api.get(`/v1/actions/${second?.uuid}`, at(5))).json()).toHaveProperty('status_message', null);
    for (const filter of [`action_plan_uuid=${plan.uuid}`, `audit_uuid=${audit.uuid}`]) {
      const list = (await api.get(`/v1/actions?${filter}`, at(7))).json().actions;
      expect(list.map(({ uuid }: { uuid: string }) => uuid)).toEqual([first?.uuid, second?.uuid]);
      expect(Object.keys(list[0]).sort()).toEqual(listKeys);
    }
    const both = await api.get(`/v1/actions?action_plan_uuid=${plan.uuid}&audit_uuid=${audit.uuid}`);
    expect(fault(both)).toEqual({
      status: 400,
      text: 'Filtering actions on both audit and action-plan is prohibited',
    });
  });

  it('shows the reason for an action', async () => {
    const { actions } = await seedPlan(api.store, seed);
    const reason = (await api.get(`/v1/actions/${actions[0]?.uuid}/reason`)).json();
    expect(reason).toMatchObject({
      action_uuid: actions[0]?.uuid,
      reason: { rule: 'r', summary: 's', values: [], rejected: [] },
      started_at: null,
    });
  });

  it.each(['POST', 'DELETE'] as const)('has no %s', async (method) => {
    const { actions } = await seedPlan(api.store, seed);
    expect((await api.send(method, `/v1/actions/${actions[0]?.uuid}`)).statusCode).toBe(405);
  });
});

describe('skipping', () => {
  it('skips, with and without a reason, which can be changed later', async () => {
    const { actions } = await seedPlan(api.store, seed);
    const [first, second] = actions;
    const plain = await patch(first?.uuid, [skip]);
    expect(plain.json()).toMatchObject({ state: 'SKIPPED', status_message: 'Action skipped by user.' });
    const given = await patch(second?.uuid, [skip, message('m')]);
    expect(given.json()).toMatchObject({ status_message: 'Action skipped by user. Reason: m' });
    const again = await patch(second?.uuid, [message('again')]);
    expect(again.json()).toMatchObject({ status_message: 'Action skipped by user. Reason: again' });
    expect((await patch(second?.uuid, [skip])).json().status_message).toBe('Action skipped by user. Reason: again');
    expect((await patch(second?.uuid, [message(null)])).json().status_message).toBe('Action skipped by user.');
  });

  it('needs 1.5', async () => {
    const { actions } = await seedPlan(api.store, seed);
    for (const minor of [0, 4]) {
      expect(fault(await patch(actions[0]?.uuid, [skip], minor))).toEqual({
        status: 400,
        text: 'API microversion 1.5 or higher is required.',
      });
    }
  });

  it('is refused for other moves and for plans that run', async () => {
    const { plan, actions } = await seedPlan(api.store, seed);
    const uuid = actions[0]?.uuid;
    expect(fault(await patch(uuid, [{ op: 'replace', path: '/state', value: 'SUCCEEDED' }]))).toEqual({
      status: 409,
      text: 'State transition not allowed: (PENDING -> SUCCEEDED)',
    });
    expect(fault(await patch(uuid, [message('x')]))).toEqual({
      status: 409,
      text: 'status_message update only allowed when action state is SKIPPED',
    });
    expect((await patch(uuid, [])).json()).toMatchObject({ state: 'PENDING', status_message: null });
    await api.store.db.actionPlans.transition(plan.uuid, 'start');
    await api.store.db.actionPlans.transition(plan.uuid, 'claim');
    expect(fault(await patch(uuid, [skip]))).toEqual({
      status: 409,
      text: 'State update not allowed for actionplan state: ONGOING',
    });
    const skipAction = (ident?: string) => api.send('POST', `/v1/actions/${ident}/skip`, { reason: 'not now' }, at(7));
    expect((await skipAction(uuid)).json()).toMatchObject({
      state: 'SKIPPED',
      status_message: 'Action skipped by user. Reason: not now',
    });
    expect((await skipAction(uuid)).statusCode).toBe(409);
    await api.store.db.actions.transition(actions[1]?.uuid ?? '', 'begin');
    expect(fault(await skipAction(actions[1]?.uuid)).text).toBe('State transition not allowed: (ONGOING -> SKIPPED)');
  });

  it.each([
    [[{ op: 'remove', path: '/state' }], "'/state' is a mandatory attribute and can not be removed"],
    [
      [{ op: 'replace', path: '/action_plan_id', value: 1 }],
      "'/action_plan_id' is not an allowed attribute and can not be updated",
    ],
    [[{ op: 'replace', path: '/state', value: 'X' }], 'Reason: Invalid state: X'],
    [
      [{ op: 'replace', path: '/status_message', value: 5 }],
      "Wrong type. Expected '<class 'str'>', got '<class 'int'>'",
    ],
  ])('refuses %j', async (operations, text) => {
    const { actions } = await seedPlan(api.store, seed);
    const refused = fault(await patch(actions[0]?.uuid, operations));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(text);
  });
});
