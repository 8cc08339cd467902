import { expect, test, vi } from 'vitest';
import { insertAction, insertPlanWorld, useStore } from '#tests';
import { createPlanDurations } from './plan-durations.ts';

const { store } = await useStore();
const inputParameters = { migration_type: 'live', source_node: 'a', destination_node: 'b' };

/** A RECOMMENDED plan with one migration. */
async function insertPlan() {
  const { plan } = await insertPlanWorld(store.db, { actions: 0 });
  const action = await insertAction(store.db, plan, (row) => ({ ...row, actionType: 'migrate', inputParameters }));
  return { ...plan, action: action.uuid };
}

async function finish(uuid: string) {
  await store.db.actions.transition(uuid, 'begin', { set: { startedAt: new Date(0) } });
  await store.db.actions.transition(uuid, 'succeed', { set: { endedAt: new Date(3_600_000) } });
}

test('a plan is estimated again only after further actions finish or the limits change', async () => {
  const plan = await insertPlan();
  const limits = { workers: 64, source: 2, destination: 2, network: 8 };
  const parallelism = vi.fn(() => ({ limits, networks: [] }));
  const durations = createPlanDurations(store, { parallelism });
  const seconds = async () => (await durations.estimate([plan])).get(plan.id)?.seconds;
  const first = await seconds();
  expect(await seconds()).toBe(first);

  await finish((await insertPlan()).action);
  const second = await seconds();
  expect(second?.high).toBeGreaterThan(first?.high ?? Number.NaN);

  parallelism.mockReturnValue({ limits: { ...limits, workers: 1 }, networks: [] });
  const third = await seconds();
  expect(third).toEqual(second);
  expect(third).not.toBe(second);
});

test('a plan that is still being stored is estimated again with its actions', async () => {
  const { plan } = await insertPlanWorld(store.db, { actions: 0 });
  const durations = createPlanDurations(store);
  const seconds = async () => (await durations.estimate([plan])).get(plan.id)?.seconds.high;
  expect(await seconds()).toBe(0);
  await insertAction(store.db, plan, (row) => ({ ...row, actionType: 'resize', inputParameters: {} }));
  expect(await seconds()).toBeGreaterThan(0);
});

test('nothing remains of an ended plan, whose started actions are not read', async () => {
  const [open, ended] = [await insertPlan(), await insertPlan()];
  await store.db.actionPlans.transition(ended.uuid, 'supersede');
  const started = vi.spyOn(store.actionDurations, 'started');
  const filters = [{ field: 'uuid' as const, op: 'in' as const, value: [open.uuid, ended.uuid] }];
  const plans = await store.db.actionPlans.list({ filters });
  const found = await createPlanDurations(store).estimate(plans);
  expect(found.get(ended.id)?.remaining).toEqual({ low: 0, high: 0 });
  expect(found.get(open.id)?.remaining).toEqual(found.get(open.id)?.seconds);
  expect(started.mock.calls).toEqual([[[open.id]]]);
});
