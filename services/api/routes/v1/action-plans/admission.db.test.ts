import { beforeEach, describe, expect, it } from 'vitest';
import type { ActionPlanView } from '#libs/store';
import { insertAction } from '#tests';
import { createFakeEngine, usualResponses } from '../../../testing/fake-engine.ts';
import { fault, seedCatalogue, seedPlan, useTestApi } from '../../../testing/test-api.ts';

const engineResponses = { ...usualResponses };
const engine = createFakeEngine(engineResponses);
const api = await useTestApi({ bus: engine });
const seed = await seedCatalogue(api.store);
beforeEach(endStartedPlans);

async function endStartedPlans(): Promise<void> {
  const { actionPlans } = api.store.db;
  for (const { uuid } of await actionPlans.list({ filters: [{ field: 'state', value: 'PENDING' }] }))
    await actionPlans.transition(uuid, 'cancelBeforeStart');
}

/** A plan with one migration. */
async function planOn(source: string, destination: string): Promise<ActionPlanView> {
  const { plan } = await seedPlan(api.store, seed, { actions: 0 });
  await insertAction(api.store.db, plan, () => ({
    actionType: 'migrate',
    inputParameters: { migration_type: 'live', source_node: source, destination_node: destination },
  }));
  return plan;
}

const start = ({ uuid }: ActionPlanView, body: object = {}) => api.send('POST', `/v1/action_plans/${uuid}/start`, body);
const patch = ({ uuid }: ActionPlanView) =>
  api.send('PATCH', `/v1/action_plans/${uuid}`, [{ op: 'replace', path: '/state', value: 'PENDING' }]);
const stateOf = async ({ uuid }: ActionPlanView) => (await api.store.db.actionPlans.get(uuid)).state;

describe('a start', () => {
  it.each([
    ['a start request', start],
    ['a change of the state', patch],
  ])('by %s is refused while another started plan holds one of the hosts', async (_, startBy) => {
    const [first, second, apart] = [await planOn('a', 'b'), await planOn('b', 'c'), await planOn('d', 'e')];
    expect((await start(first)).statusCode).toBe(200);

    const refused = await startBy(second);
    expect(refused.statusCode).toBe(409);
    expect(fault(refused).text).toContain(`action plan ${first.uuid}, which is PENDING, holds host b.`);
    expect(await stateOf(second)).toBe('RECOMMENDED');
    expect((await startBy(apart)).statusCode).toBe(200);

    await api.store.db.actionPlans.transition(first.uuid, 'cancelBeforeStart');
    expect((await startBy(second)).statusCode).toBe(200);
  });

  it('is admitted for one of several plans on the same host that start concurrently', async () => {
    const plans = await Promise.all(Array.from({ length: 8 }, (_, index) => planOn('hub', `leaf-${index}`)));
    const statuses = (await Promise.all(plans.map((plan) => start(plan)))).map(({ statusCode }) => statusCode);
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
  });

  it('of a SUSPENDED plan is refused while another plan holds its hosts', async () => {
    const [suspended, other] = [await planOn('x', 'y'), await planOn('y', 'z')];
    const { actionPlans } = api.store.db;
    await start(suspended);
    await actionPlans.transition(suspended.uuid, 'hold');
    expect(fault(await start(other)).text).toMatch(/which is SUSPENDED, holds host y/);
    // A plan that an earlier release started.
    await actionPlans.transition(other.uuid, 'start');
    expect((await start(suspended)).statusCode).toBe(409);
    expect(await stateOf(suspended)).toBe('SUSPENDED');
    await actionPlans.transition(other.uuid, 'cancelBeforeStart');
    expect((await start(suspended)).statusCode).toBe(200);
  });
});

describe('a stale plan', () => {
  /** A plan whose hosts have recorded versions, one of which is raised `changes` times afterwards. */
  async function recordedPlan(changes: number) {
    const { hostVersions, planHolds } = api.store.db;
    const [source, destination] = [crypto.randomUUID(), crypto.randomUUID()];
    const plan = await planOn(source, destination);
    const sightings = [source, destination].map((hostname) => ({ hostname, fingerprint: 'seen' }));
    const versions = await hostVersions.observe(sightings, 0);
    await planHolds.record(
      plan.id,
      [...versions].map(([hostname, version]) => ({ hostname, version })),
    );
    for (let change = 0; change < changes; change += 1) await hostVersions.raise([destination]);
    return { plan, destination };
  }
  const staleness = async ({ uuid }: ActionPlanView) => (await api.get(`/v1/action_plans/${uuid}/staleness`)).json();

  it.each([
    ['a start request', start],
    ['a change of the state', patch],
  ])('is refused by %s with numbers and the way out, and stays RECOMMENDED', async (_, startBy) => {
    const { plan } = await recordedPlan(2);
    const refused = await startBy(plan);
    expect(refused.statusCode).toBe(409);
    expect(fault(refused).text).toMatch(/made before changes on 1 of its 2 hosts.*force_stale/s);
    expect(await stateOf(plan)).toBe('RECOMMENDED');
  });

  it('starts with force_stale, and counts on the hosts of today', async () => {
    const { plan } = await recordedPlan(1);
    expect((await start(plan, { force_stale: true })).statusCode).toBe(200);
    expect(await api.store.db.actionPlans.get(plan.uuid)).toMatchObject({ state: 'PENDING', forceStale: true });
    expect(await api.store.db.planHolds.changed(plan.id)).toEqual([]);
    expect((await start(plan, { force_stale: 'yes' })).statusCode).toBe(400);
  });

  it.each([
    ['a start request', start],
    ['a change of the state', patch],
  ])('is started by %s when the operator chose its actions', async (_, startBy) => {
    const { plan } = await recordedPlan(1);
    await api.store.db.actionPlans.update(plan.uuid, { forceStale: true });
    expect(await staleness(plan)).toMatchObject({ stale: false, forced: true, hosts_changed: 1 });
    expect((await startBy(plan)).statusCode).toBe(200);
    expect(await api.store.db.actionPlans.get(plan.uuid)).toMatchObject({ state: 'PENDING', forceStale: true });
  });

  it('is shown with its changed hosts before it starts', async () => {
    const { plan, destination } = await recordedPlan(1);
    expect(await staleness(plan)).toMatchObject({
      stale: true,
      hosts: 2,
      hosts_known: 2,
      hosts_changed: 1,
      changed: [{ hostname: destination, planned_version: 1, current_version: 2 }],
      gain: null,
      held_by: null,
    });
  });

  it.each([
    ['all of its moves are still possible', 0, null, 200],
    ['one of its moves is no longer possible', 1, 'instance vm-1 cannot move to host b: vcpu', 409],
  ])('without a known gain is judged by its moves: %s', async (_, obstacles, firstObstacle, status) => {
    const { plan } = await recordedPlan(1);
    engineResponses['plan.gain'] = { left: null, repeated: { moves: 1, obstacles, firstObstacle } };
    expect(await staleness(plan)).toMatchObject({
      stale: status === 409,
      hosts_changed: 1,
      repeated: { moves: 1, obstacles, first_obstacle: firstObstacle },
    });
    const started = await patch(plan);
    expect(started.statusCode).toBe(status);
    if (firstObstacle !== null) expect(fault(started).text).toContain(firstObstacle);
  });

  it('is no plan whose hosts did not change, and none of unknown age', async () => {
    const { plan } = await recordedPlan(0);
    expect(await staleness(plan)).toMatchObject({ stale: false, hosts_changed: 0 });
    expect((await start(plan)).statusCode).toBe(200);
    const old = await planOn('former-a', 'former-b');
    await api.store.db.hostVersions.raise(['former-a']);
    expect(await staleness(old)).toMatchObject({
      stale: false,
      hosts_known: 0,
      text: expect.stringMatching(/unknown/),
    });
    expect((await start(old)).statusCode).toBe(200);
  });
});
