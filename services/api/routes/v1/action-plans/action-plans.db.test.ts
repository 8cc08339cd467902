import { describe, expect, it } from 'vitest';
import { type ActionPlanEvent, type ActionPlanState, actionPlanStates } from '#libs/domain';
import { newUuid } from '#libs/service-kit';
import { at, fault, seedCatalogue, seedPlan, useTestApi } from '../../../testing/test-api.ts';

const api = await useTestApi();
const seed = await seedCatalogue(api.store);

const waysTo: Record<ActionPlanState, ActionPlanEvent[]> = {
  RECOMMENDED: [],
  PENDING: ['start'],
  ONGOING: ['start', 'claim'],
  SUCCEEDED: ['start', 'claim', 'succeed'],
  FAILED: ['start', 'claim', 'fail'],
  CANCELLING: ['start', 'claim', 'requestCancel'],
  CANCELLED: ['cancelBeforeStart'],
  SUPERSEDED: ['supersede'],
  SUSPENDED: ['start', 'hold'],
  DELETED: ['delete'],
};

async function planIn(state: ActionPlanState) {
  const seeded = await seedPlan(api.store, seed);
  for (const event of waysTo[state]) await api.store.db.actionPlans.transition(seeded.plan.uuid, event);
  return seeded;
}

async function launches(): Promise<unknown[]> {
  const bodies: unknown[] = [];
  await api.store.outboxQueue.drain(1000, async (taken) => {
    bodies.push(...taken.filter(({ type }) => type === 'plan.launch').map(({ body }) => body));
    return taken.map(() => true);
  });
  return bodies;
}

const patch = (uuid: string, operations: unknown) => api.send('PATCH', `/v1/action_plans/${uuid}`, operations, at(7));
const listKeys = [
  'audit_uuid',
  'efficacy_indicators',
  'global_efficacy',
  'links',
  'state',
  'strategy_name',
  'strategy_uuid',
  'updated_at',
  'uuid',
];
const fullKeys = [...listKeys, 'created_at', 'deleted_at', 'hostname'].sort();

describe('reading', () => {
  it('shows exactly the keys of its microversion', async () => {
    const { plan, audit } = await planIn('RECOMMENDED');
    const single = (await api.get(`/v1/action_plans/${plan.uuid}`, at(4))).json();
    expect(Object.keys(single).sort()).toEqual(fullKeys);
    expect(single).toMatchObject({
      audit_uuid: audit.uuid,
      strategy_name: 'dummy',
      efficacy_indicators: [{ name: 'indicator', description: 'text', unit: '%', value: 3 }],
      global_efficacy: [{ name: 'gain', description: 'all in all', unit: '%', value: 1.5 }],
    });
    const later = (await api.get(`/v1/action_plans/${plan.uuid}`, at(5))).json();
    expect(Object.keys(later).sort()).toEqual([...fullKeys, 'status_message'].sort());
    const list = (await api.get(`/v1/action_plans?audit_uuid=${audit.uuid}`, at(7))).json();
    expect(list.action_plans).toHaveLength(1);
    expect(Object.keys(list.action_plans[0]).sort()).toEqual(listKeys);
    expect(later).toMatchObject(list.action_plans[0]);
  });

  it('shows null for a deleted audit, but still filters by it', async () => {
    const { plan, audit } = await planIn('RECOMMENDED');
    await api.store.db.audits.softDelete(audit.uuid);
    const { action_plans: plans } = (await api.get(`/v1/action_plans/detail?audit_uuid=${audit.uuid}`)).json();
    expect(plans).toMatchObject([{ uuid: plan.uuid, audit_uuid: null }]);
    const shown = await api.get(`/v1/action_plans/${plan.uuid}`, { 'X-Show-Deleted': '1' });
    expect(shown.json().audit_uuid).toBe(audit.uuid);
  });

  it('takes uuids only', async () => {
    expect(fault(await api.get('/v1/action_plans/name'))).toEqual({
      status: 400,
      text: "Invalid input for field/attribute action_plan_uuid. Value: 'name'. unable to convert to uuid. Error: Expected a uuid but received name",
    });
    expect((await api.get('/v1/action_plans?audit_uuid=None')).statusCode).toBe(400);
    const unknown = newUuid();
    expect(fault(await api.get(`/v1/action_plans/${unknown}`))).toEqual({
      status: 404,
      text: `ActionPlan ${unknown} could not be found`,
    });
  });
});

describe('starting', () => {
  it.each([
    ['', undefined],
    ['/', {}],
  ])('makes the plan PENDING and has it launched (%s %j)', async (slash, body) => {
    const { plan } = await planIn('RECOMMENDED');
    await launches();
    const response = await api.send('POST', `/v1/action_plans/${plan.uuid}/start${slash}`, body, { 'X-User-Id': 'me' });
    expect([response.statusCode, response.json().state]).toEqual([200, 'PENDING']);
    expect(await launches()).toEqual([
      { schema: 'plan.launch/1', plan_uuid: plan.uuid, launch_seq: 1, requested_by: 'me' },
    ]);
    const again = await api.send('POST', `/v1/action_plans/${plan.uuid}/start`);
    expect(fault(again)).toEqual({ status: 400, text: "Couldn't start when state is 'PENDING'." });
    expect(await launches()).toEqual([]);
  });

  it.each([
    [{ windows_start: '2999-01-01T00:00:00Z' }, '"windows_start" (did you mean "window_start"?)'],
    [{ max_worker: 1, on_failure: 'stop' }, '"max_worker" (did you mean "max_workers"?)'],
    [{ anything: 1 }, '"anything". The start takes on_failure'],
  ])('is refused with an option that there is not: %j', async (body, text) => {
    const { plan } = await planIn('RECOMMENDED');
    const refused = fault(await api.send('POST', `/v1/action_plans/${plan.uuid}/start`, body));
    expect(refused).toEqual({ status: 400, text: expect.stringContaining(`Unknown argument: ${text}`) });
    expect((await api.get(`/v1/action_plans/${plan.uuid}`)).json().state).toBe('RECOMMENDED');
  });

  it.each(['pause', 'resume', 'abort', 'rollback'])('and %s take no options that they do not know', async (control) => {
    const { plan, actions } = await planIn('RECOMMENDED');
    const send = (path: string) => api.send('POST', path, { skip_actions: [], resaon: 'x' });
    expect(fault(await send(`/v1/action_plans/${plan.uuid}/${control}`)).text).toContain(
      'Unknown argument: "skip_actions"',
    );
    expect(fault(await send(`/v1/actions/${actions[0]?.uuid}/skip`)).text).toContain('did you mean "reason"?');
    expect((await api.get(`/v1/action_plans/${plan.uuid}`)).json().state).toBe('RECOMMENDED');
  });

  it('takes a failure policy', async () => {
    const { plan } = await planIn('RECOMMENDED');
    const start = (body: object) => api.send('POST', `/v1/action_plans/${plan.uuid}/start`, body);
    expect((await start({ on_failure: 'explode' })).statusCode).toBe(400);
    expect((await start({ on_failure: 'rollback' })).statusCode).toBe(200);
    const outcome = await api.get(`/v1/action_plans/${plan.uuid}/outcome`);
    expect(outcome.json()).toMatchObject({ on_failure: 'rollback', outcome: null });
  });

  it('shows the start and end times of its actions, in their order', async () => {
    const { plan, actions } = await planIn('ONGOING');
    const timeline = async () => (await api.get(`/v1/action_plans/${plan.uuid}/timeline`)).json();
    expect(await timeline()).toEqual({ action_plan_uuid: plan.uuid, actions: [] });
    const [first, second] = actions.map(({ uuid }) => uuid);
    const startedAt = new Date('2026-06-01T12:00:00Z');
    const later = new Date('2026-06-01T12:00:30Z');
    await api.store.db.actions.update(first ?? '', { startedAt: later });
    await api.store.db.actions.update(second ?? '', { startedAt: startedAt, endedAt: later });
    expect((await timeline()).actions).toEqual([
      {
        action_uuid: second,
        state: 'PENDING',
        started_at: '2026-06-01T12:00:00+00:00',
        ended_at: '2026-06-01T12:00:30+00:00',
      },
      { action_uuid: first, state: 'PENDING', started_at: '2026-06-01T12:00:30+00:00', ended_at: null },
    ]);
    expect((await api.get(`/v1/action_plans/${first}/timeline`)).statusCode).toBe(404);
  });

  it('starts once for any number of simultaneous requests', async () => {
    const { plan } = await planIn('RECOMMENDED');
    await launches();
    const responses = await Promise.all(
      [1, 2, 3, 4].map(() => api.send('POST', `/v1/action_plans/${plan.uuid}/start`)),
    );
    // Requests that read RECOMMENDED have lost a race: 409.
    const refused = responses.map(({ statusCode }) => statusCode).filter((status) => status !== 200);
    expect(refused).toHaveLength(3);
    for (const status of refused) expect([400, 409]).toContain(status);
    expect(await launches()).toHaveLength(1);
  });

  it('does not find the unknown', async () => {
    expect((await api.send('POST', `/v1/action_plans/${newUuid()}/start`)).statusCode).toBe(404);
    expect((await api.get(`/v1/action_plans/${newUuid()}/start`)).statusCode).toBe(404);
  });
});

describe('changing the state', () => {
  const allowed = new Set([
    'RECOMMENDED PENDING',
    'RECOMMENDED CANCELLED',
    'PENDING CANCELLED',
    'ONGOING CANCELLING',
    'SUSPENDED PENDING',
    'SUSPENDED CANCELLING',
  ]);
  it.each(actionPlanStates.filter((state) => state !== 'DELETED'))('allows exactly the moves from %s', async (from) => {
    for (const to of actionPlanStates) {
      const { plan, actions } = await planIn(from);
      await launches();
      const response = await patch(plan.uuid, [{ op: 'replace', path: '/state', value: to }]);
      const shown = (await api.get(`/v1/action_plans/${plan.uuid}`)).json();
      if (!allowed.has(`${from} ${to}`)) {
        expect(fault(response).status, `${from} ${to}`).toBe(400);
        expect(fault(response).text).toContain(`Reason: State transition not allowed: (${from} -> ${to})`);
        expect(shown.state).toBe(from);
        continue;
      }
      expect(response.statusCode, response.body).toBe(200);
      expect(shown.state).toBe(to);
      expect((await launches()).length).toBe(to === 'PENDING' ? 1 : 0);
      const stored = await api.store.db.actions.listByPlan(plan.uuid);
      expect(stored.map(({ state }) => state)).toEqual(
        actions.map(() => (to === 'CANCELLED' ? 'CANCELLED' : 'PENDING')),
      );
    }
  });

  it.each([
    [[], 'State transition not allowed: (RECOMMENDED -> RECOMMENDED)'],
    [[{ op: 'remove', path: '/state' }], 'State transition not allowed: (RECOMMENDED -> Unset)'],
    [[{ op: 'replace', path: '/state', value: 'X' }], 'Reason: Invalid state: X'],
    [
      [{ op: 'replace', path: '/status_message', value: 'x' }],
      "'/status_message' is an internal attribute and can not be updated",
    ],
    [
      [{ op: 'add', path: '/status_message', value: 'x' }],
      "'/status_message' is an internal attribute and can not be updated",
    ],
    [[{ op: 'replace', path: '/hostname', value: 'x' }], 'State transition not allowed: (RECOMMENDED -> RECOMMENDED)'],
    [[{ op: 'replace', path: '/nothing', value: 'x' }], "can't replace a non-existent object 'nothing'"],
    [[{ op: 'add', path: '/nothing', value: 'x' }], 'Adding a new attribute (/nothing) to the root of  the resource'],
    [[{ op: 'remove', path: '/state' }], 'State transition not allowed: (RECOMMENDED -> Unset)'],
  ])('refuses %j', async (operations, text) => {
    const { plan } = await planIn('RECOMMENDED');
    const refused = fault(await patch(plan.uuid, operations));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(text);
  });
});

describe('deleting', () => {
  it.each(actionPlanStates.filter((state) => state !== 'DELETED'))('of a plan in %s', async (state) => {
    const { plan, actions } = await planIn(state);
    const response = await api.send('DELETE', `/v1/action_plans/${plan.uuid}`);
    if (['PENDING', 'ONGOING', 'CANCELLING', 'SUSPENDED'].includes(state)) {
      expect(fault(response)).toEqual({ status: 400, text: `Couldn't delete when state is '${state}'.` });
      return;
    }
    expect(response.statusCode).toBe(204);
    expect((await api.get(`/v1/action_plans/${plan.uuid}`)).statusCode).toBe(404);
    expect((await api.get(`/v1/actions?action_plan_uuid=${plan.uuid}`)).json()).toEqual({ actions: [] });
    expect((await api.get(`/v1/actions/${actions[0]?.uuid}`)).statusCode).toBe(404);
    const shown = await api.get(`/v1/action_plans/${plan.uuid}`, { 'X-Show-Deleted': 'true' });
    expect(shown.json()).toMatchObject({ state: 'DELETED', efficacy_indicators: [{ name: 'indicator' }] });
  });
});
