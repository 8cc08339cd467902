import { expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { newUuid } from '#libs/service-kit';
import { fault, seedCatalogue, seedPlan, useTestApi } from '../../../testing/test-api.ts';

const api = await useTestApi();
const seed = await seedCatalogue(api.store);

/** A plan that empties host `a` by two migrations. */
async function consolidation(): Promise<string> {
  const { plan } = await seedPlan(api.store, seed, { actions: 0 });
  const insert = (actionType: string, inputParameters: JsonObject) =>
    api.store.db.actions.insert({ uuid: newUuid(), actionPlanId: plan.id, actionType, inputParameters });
  await insert('change_nova_service_state', { resource_id: 'a', resource_name: 'a', state: 'disabled' });
  for (let number = 0; number < 2; number++) {
    const route = { source_node: 'a', destination_node: 'b', migration_type: 'live' };
    await insert('migrate', { resource_id: newUuid(), ...route });
  }
  return plan.uuid;
}

const start = (uuid: string, maxMigrations: number) =>
  api.send('POST', `/v1/action_plans/${uuid}/start`, { max_migrations: maxMigrations });

it('a start whose max_migrations is too small for any step is refused with the number that is needed', async () => {
  const uuid = await consolidation();
  const refused = await start(uuid, 1);
  expect(refused.statusCode).toBe(400);
  expect(fault(refused).text).toContain('The smallest step of this action plan has 2 migrations, which empty a.');
  expect((await api.store.db.actionPlans.get(uuid)).state).toBe('RECOMMENDED');
  expect((await start(uuid, 2)).statusCode).toBe(200);
});

it('the outcome of a plan shows the actions that its limit left out', async () => {
  const uuid = await consolidation();
  const outcome = () => api.get(`/v1/action_plans/${uuid}/outcome`);
  expect((await outcome()).json()).toMatchObject({ cut: null });
  for (const action of await api.store.db.actions.listByPlan(uuid)) {
    await api.store.db.actions.transition(action.uuid, 'skip', { set: { endReason: 'budget' } });
  }
  expect((await outcome()).json()).toMatchObject({
    cut: { actions_left_out: 3, migrations_left_out: 2, hosts_left_out: ['a'] },
  });
});
