import { beforeEach, describe, expect, it } from 'vitest';
import type { ActionPlanView } from '#libs/store';
import { insertAction } from '#tests';
import { fault, seedCatalogue, seedPlan, useTestApi } from '../../../testing/test-api.ts';

const api = await useTestApi();
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

  it('is admitted for one of many plans on the same host that start at once', async () => {
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
