import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { at, fault, seedCatalogue, useTestApi } from '../../../testing/test-api.ts';

const api = await useTestApi();
const seed = await seedCatalogue(api.store);

const post = (body: object, minor = 7) => api.send('POST', '/v1/audits', body, at(minor));
const patch = (ident: string, operations: unknown, minor = 7) =>
  api.send('PATCH', `/v1/audits/${ident}`, operations, at(minor));
const oneshot = { audit_type: 'ONESHOT', goal: 'dummy', strategy: 'dummy' };

describe('deleting', () => {
  it('needs an ended audit', async () => {
    const { uuid } = (await post(oneshot)).json();
    const remove = () => api.send('DELETE', `/v1/audits/${uuid}`, undefined, { 'content-type': 'application/json' });
    expect(fault(await remove())).toEqual({ status: 400, text: "Couldn't delete when state is 'PENDING'." });
    await patch(uuid, [{ op: 'replace', path: '/state', value: 'CANCELLED' }]);
    expect((await remove()).statusCode).toBe(204);
    expect(fault(await remove())).toEqual({ status: 404, text: `Audit ${uuid} could not be found` });
    const shown = await api.get(`/v1/audits/${uuid}`, { 'X-Show-Deleted': 'True' });
    expect(shown.json()).toMatchObject({ state: 'DELETED' });
    expect(shown.json().deleted_at).not.toBeNull();
    const listed = await api.get('/v1/audits/detail', { 'X-Show-Deleted': 'False' });
    expect(listed.json().audits.map((audit: { uuid: string }) => audit.uuid)).not.toContain(uuid);
  });
});

describe('a goal and a strategy that no plugin provides now', () => {
  it('keep their names in the audits that used them, without their uuid', async () => {
    const { db } = api.store;
    const goal = await db.goals.insert({
      uuid: randomUUID(),
      name: 'old',
      displayName: 'Old',
      efficacySpecification: [],
    });
    const values = { displayName: 'Gone', goalId: goal.id, parametersSpec: {} };
    const strategy = await db.strategies.insert({ uuid: randomUUID(), name: 'gone', ...values });
    const { uuid } = (await post({ audit_type: 'ONESHOT', goal: 'old', strategy: 'gone' })).json();
    const chosen = (await post({ audit_type: 'ONESHOT', goal: 'old' })).json();
    const { id: auditId } = await db.audits.get(uuid);
    const plan = await db.actionPlans.insert({
      uuid: randomUUID(),
      auditId,
      strategyId: strategy.id,
      globalEfficacy: [],
    });
    await db.strategies.softDelete(strategy.uuid);
    await db.goals.softDelete(goal.uuid);

    const seen = { strategy_uuid: null, strategy_name: 'gone' };
    const [audit] = (await api.get('/v1/audits?sort_key=id')).json().audits.slice(-2);
    expect(audit).toMatchObject({ uuid, goal_uuid: null, goal_name: 'old', ...seen });
    expect((await api.get(`/v1/action_plans/${plan.uuid}`)).json()).toMatchObject(seen);
    const free = (await api.get(`/v1/audits/${chosen.uuid}`)).json();
    expect(free).toMatchObject({ goal_name: 'old', strategy_uuid: null, strategy_name: null });
    const shown = await api.get(`/v1/audits/${uuid}`, { 'X-Show-Deleted': 'True' });
    expect(shown.json()).toMatchObject({ goal_uuid: goal.uuid, strategy_uuid: strategy.uuid });
  });
});

describe('filters and report', () => {
  it('filters by goal and strategy', async () => {
    await post(oneshot);
    for (const filter of [`goal=${seed.dummyGoal.uuid}`, 'goal=DUMMY', 'strategy=dummy', 'goal=dummy&strategy=dummy']) {
      const { audits } = (await api.get(`/v1/audits/detail?${filter}`)).json();
      expect(audits.length).toBeGreaterThan(0);
    }
    expect((await api.get('/v1/audits?goal=other')).json().audits).toEqual([]);
  });

  it('shows the report of the last run', async () => {
    const { uuid } = (await post(oneshot)).json();
    expect((await api.get(`/v1/audits/${uuid}/report`)).json()).toEqual({ audit_uuid: uuid, report: null });
    await api.store.db.audits.update(uuid, {
      report: {
        strategy: 'dummy',
        hosts: { considered: 1, eligible: 1 },
        instances: { considered: 0, eligible: 0 },
        blocked: [],
        metrics: [],
        modelAgeSeconds: 3,
        modelComplete: true,
        emptyBecause: null,
        notes: [],
        timingsMs: { strategy: 5 },
      },
    });
    expect((await api.get(`/v1/audits/${uuid}/report`)).json().report).toMatchObject({
      model_age_seconds: 3,
      timings_ms: { strategy: 5 },
    });
  });
});
