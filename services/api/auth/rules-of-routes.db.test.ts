import { describe, expect, it } from 'vitest';
import { createFakeEngine } from '../testing/fake-engine.ts';
import { fault, seedCatalogue, seedPlan, useTestApi } from '../testing/test-api.ts';
import { createPolicy } from './policy.ts';

/** A role may perform every operation except the one in its name. */
const without = (role: string) => `role:admin or not role:${role}`;
const policy = createPolicy({
  'action_plan:update': without('none'),
  'action_plan:start': without('no_start'),
  'action_plan:remove_instances': without('no_remove'),
  'action_plan:get': without('none'),
  'action:get_all': without('no_actions'),
  'data_model:get_all': without('no_model'),
  'audit:create': without('none'),
  'audit_template:create': 'role:admin',
});

const api = await useTestApi({ policy, bus: createFakeEngine() });
const seed = await seedCatalogue(api.store);

const denied = (rule: string) => ({ status: 403, text: `Policy doesn't allow ${rule} to be performed.` });
const as = (role: string) => ({ 'X-Roles': role });

describe('starting a plan by its state', () => {
  it('needs the rule of start too', async () => {
    const { plan } = await seedPlan(api.store, seed);
    const patch = (value: string, role: string) =>
      api.send('PATCH', `/v1/action_plans/${plan.uuid}`, [{ op: 'replace', path: '/state', value }], as(role));
    expect(fault(await patch('PENDING', 'no_start'))).toEqual(denied('action_plan:start'));
    expect((await api.get(`/v1/action_plans/${plan.uuid}`)).json().state).toBe('RECOMMENDED');
    expect((await patch('PENDING', 'other')).statusCode).toBe(200);
    expect((await patch('CANCELLED', 'no_start')).statusCode).toBe(200);
  });
});

describe.each(['delete', 'shelve'])('a plan with an action of type %s', (actionType) => {
  it('needs the rule that removes instances to start, in both ways', async () => {
    const { plan } = await seedPlan(api.store, seed, { actionType });
    const start = (role: string) => api.send('POST', `/v1/action_plans/${plan.uuid}/start`, undefined, as(role));
    const patch = [{ op: 'replace', path: '/state', value: 'PENDING' }];
    expect(fault(await start('no_remove'))).toEqual(denied('action_plan:remove_instances'));
    const patched = await api.send('PATCH', `/v1/action_plans/${plan.uuid}`, patch, as('no_remove'));
    expect(fault(patched)).toEqual(denied('action_plan:remove_instances'));
    expect((await api.get(`/v1/action_plans/${plan.uuid}`)).json().state).toBe('RECOMMENDED');
    expect((await start('other')).statusCode).toBe(200);
  });
});

describe('routes that show actions and hosts', () => {
  it.each([
    ['no_actions', 'action:get_all'],
    ['no_model', 'data_model:get_all'],
  ])('is refused to %s', async (role, rule) => {
    const { plan } = await seedPlan(api.store, seed);
    const preview = `/v1/action_plans/${plan.uuid}/preview`;
    expect(fault(await api.get(preview, as(role)))).toEqual(denied(rule));
    expect((await api.get(preview, as('other'))).statusCode).toBe(200);
    for (const path of ['/v1/audits/preview', '/v1/audits/compare']) {
      const body = { goal: 'dummy', ...(path.endsWith('compare') && { strategies: ['dummy'] }) };
      expect(fault(await api.send('POST', path, body, as(role)))).toEqual(denied(rule));
      expect((await api.send('POST', path, body, as('other'))).statusCode).toBe(200);
    }
    if (rule === 'action:get_all') {
      expect(fault(await api.get(`/v1/action_plans/${plan.uuid}/rollback`, as(role)))).toEqual(denied(rule));
    }
  });
});

describe('making a template', () => {
  it.each([
    { name: 'x', goal: 'dummy', strategy: 'zone' },
    { name: 'x', goal: 'nothing' },
    { name: 'x', goal: 'dummy', scope: ['text'] },
  ])('is decided before anything is looked up: %j', async (body) => {
    expect(fault(await api.send('POST', '/v1/audit_templates', body, as('reader')))).toEqual(
      denied('audit_template:create'),
    );
  });
});
