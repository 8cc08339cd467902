import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { insertGoal, insertPlanWorld, insertStrategy, untilLockWait, useStore } from '#tests';

const { store, sql } = await useStore();

test('a name is in use while its row lives and free after the soft delete', async () => {
  const first = await insertGoal(store.db, () => ({ name: 'thermal' }));
  await expect(insertGoal(store.db, () => ({ name: 'thermal' }))).rejects.toMatchObject({
    code: 'already_exists',
    entity: 'Goal',
    ident: 'thermal',
  });
  await store.db.goals.softDelete(first.uuid);
  const second = await insertGoal(store.db, () => ({ name: 'thermal' }));
  await store.db.goals.softDelete(second.uuid);

  expect(await store.db.goals.find('thermal')).toBeNull();
  const deleted = await store.db.goals.get(first.uuid, { showDeleted: true });
  expect(deleted).toMatchObject({ deleted: first.id, deletedAt: expect.any(Date) });
  const third = await insertGoal(store.db, () => ({ name: 'thermal' }));
  expect((await store.db.goals.get('thermal', { showDeleted: true })).uuid).toBe(third.uuid);
  const filters = [{ field: 'name' as const, value: 'thermal' }];
  expect(await store.db.goals.list({ filters })).toHaveLength(1);
  expect(await store.db.goals.list({ filters, showDeleted: true })).toHaveLength(3);
});

test('a uuid stays in use forever', async () => {
  const goal = await insertGoal(store.db);
  await expect(insertGoal(store.db, () => ({ uuid: goal.uuid }))).rejects.toMatchObject({
    code: 'already_exists',
    ident: goal.uuid,
  });
});

test('an update writes the given fields and the time of the change', async () => {
  const goal = await insertGoal(store.db);
  expect(goal.updatedAt).toBeNull();
  const changed = await store.db.goals.update(goal.uuid, {
    displayName: 'Other',
    efficacySpecification: [{ name: 'n', description: 'd', unit: null, schema: '{}' }],
    name: undefined,
  });
  expect(changed).toMatchObject({ displayName: 'Other', name: goal.name, efficacySpecification: [{ name: 'n' }] });
  expect(changed.updatedAt).toBeInstanceOf(Date);
  expect(await store.db.goals.update(goal.uuid, {})).toEqual(changed);
});

test('json columns distinguish null, lists, nesting and quotes', async () => {
  const { plan } = await insertPlanWorld(store.db);
  const outcome = { "it's": ['"a"', { b: null }, 1.5, 'ü€😀'], empty: {} };
  expect((await store.db.actionPlans.update(plan.uuid, { outcome })).outcome).toEqual(outcome);
  expect((await store.db.actionPlans.update(plan.uuid, { outcome: null })).outcome).toBeNull();
});

test('missing or deleted rows cannot be changed', async () => {
  const uuid = randomUUID();
  const goal = await insertGoal(store.db);
  await store.db.goals.softDelete(goal.uuid);
  for (const ident of [uuid, goal.uuid, 'no uuid']) {
    await expect(store.db.goals.update(ident, { name: 'x' })).rejects.toMatchObject({ code: 'not_found', ident });
    await expect(store.db.goals.update(ident, {})).rejects.toMatchObject({ code: 'not_found', ident });
    await expect(store.db.goals.softDelete(ident)).rejects.toMatchObject({ code: 'not_found', ident });
  }
});

test('an update can change neither the state nor columns of the database', async () => {
  const { plan } = await insertPlanWorld(store.db);
  for (const changes of [{ state: 'SUCCEEDED' }, { uuid: randomUUID() }, { deleted: 5 }, { id: 1 }]) {
    await expect(store.db.actionPlans.update(plan.uuid, changes as object)).rejects.toMatchObject({
      code: 'invalid_input',
      field: Object.keys(changes)[0],
    });
  }
});

test('references to missing rows and missing values are invalid input', async () => {
  await expect(insertStrategy(store.db, { id: 999_999 })).rejects.toMatchObject({
    code: 'invalid_input',
    field: 'goal_id',
  });
  await expect(insertGoal(store.db, () => ({ displayName: undefined }))).rejects.toMatchObject({
    code: 'invalid_input',
    field: 'display_name',
  });
});

test('insertMany inserts more rows than one statement can hold, or none', async () => {
  const { plan } = await insertPlanWorld(store.db, { actions: 0 });
  const rows = Array.from({ length: 1_200 }, (_, place) => ({
    uuid: randomUUID(),
    actionPlanId: plan.id,
    actionType: 'nop',
    inputParameters: { place },
    ...(place % 2 === 0 ? { statusMessage: 'even' } : {}),
  }));
  await store.db.actions.insertMany(rows);
  await store.db.actions.insertMany([]);
  const listed = await store.db.actions.listByPlan(plan.uuid);
  expect(listed.map((action) => action.inputParameters.place)).toEqual(rows.map((_, place) => place));
  expect(listed[1]).toMatchObject({ state: 'PENDING', statusMessage: null });
});

test('a failed transaction leaves no change', async () => {
  const before = await store.db.goals.count();
  await expect(
    store.transaction(async (unit) => {
      await insertGoal(unit);
      expect(await unit.goals.count()).toBe(before + 1);
      expect(await store.db.goals.count()).toBe(before);
      throw new Error('on purpose');
    }),
  ).rejects.toThrow('on purpose');
  expect(await store.db.goals.count()).toBe(before);
});

test('a deadlock is resolved by a retry', async () => {
  const [first, second] = [await insertGoal(store.db), await insertGoal(store.db)];
  let arrived = 0;
  let release: () => void = () => {};
  const both = new Promise<void>((resolve) => {
    release = resolve;
  });
  let runs = 0;
  const swap = (one: string, other: string, displayName: string) =>
    store.transaction(async (unit) => {
      runs += 1;
      await unit.goals.update(one, { displayName });
      arrived += 1;
      if (arrived === 2) release();
      await both;
      await unit.goals.update(other, { displayName });
    });
  await Promise.all([swap(first.uuid, second.uuid, 'A'), swap(second.uuid, first.uuid, 'B')]);
  // The retry may lock its row before the waiting transaction continues, which is a deadlock again.
  expect(runs).toBeGreaterThanOrEqual(3);
  expect((await store.db.goals.get(first.uuid)).displayName).toBe((await store.db.goals.get(second.uuid)).displayName);
});

test('a named lock admits one transaction at a time', async () => {
  const order: string[] = [];
  const enter = (name: string) =>
    store.transaction(async (unit) => {
      await unit.lock('sync');
      order.push(`${name} in`);
      await unit.goals.count();
      if (order.length === 1) await untilLockWait(sql);
      order.push(`${name} out`);
    });
  await Promise.all([enter('a'), enter('b')]);
  expect([order[0]?.[0], order[2]?.[0]]).toEqual([order[1]?.[0], order[3]?.[0]]);
});

test('efficacy indicators, scoring engines and action descriptions are stored', async () => {
  const { plan } = await insertPlanWorld(store.db);
  const row = { uuid: randomUUID(), name: 'released', description: null, unit: '%', value: 0.1, actionPlanId: plan.id };
  expect(await store.db.efficacyIndicators.insert(row)).toMatchObject({ value: 0.1, actionPlanUuid: plan.uuid });
  await store.db.scoringEngines.insert({ uuid: randomUUID(), name: 'dummy', description: null, metainfo: 'text' });
  expect(await store.db.scoringEngines.get('dummy')).toMatchObject({ metainfo: 'text' });

  await store.db.actionDescriptions.replaceAll([
    { actionType: 'nop', description: 'Nothing' },
    { actionType: 'sleep', description: 'Waits' },
  ]);
  const [nop] = await store.db.actionDescriptions.list();
  await store.db.actionDescriptions.replaceAll([
    { actionType: 'migrate', description: 'Moves' },
    { actionType: 'nop', description: 'Does nothing' },
  ]);
  expect(await store.db.actionDescriptions.list()).toEqual([
    { id: nop?.id, actionType: 'nop', description: 'Does nothing', revertible: null },
    { id: expect.any(Number), actionType: 'migrate', description: 'Moves', revertible: null },
  ]);
});
