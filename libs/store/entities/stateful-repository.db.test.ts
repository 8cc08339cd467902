import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { actionPlanStateTable, actionStateTable, auditStateTable, type StateTable } from '#libs/domain';
import { insertAction, insertActionPlan, insertAudit, insertPlanWorld, useStore } from '#tests';

const { store } = await useStore();
const world = await insertPlanWorld(store.db);

interface Subject {
  transition(uuid: string, event: string, options?: object): Promise<{ state: string }>;
  insertIn(state: string): Promise<{ uuid: string }>;
}

const subjects: [string, StateTable<string, string>, () => Subject][] = [
  [
    'audit',
    auditStateTable as StateTable<string, string>,
    () => ({
      transition: store.db.audits.transition as Subject['transition'],
      insertIn: (state) => insertAudit(store.db, world.strategy, () => ({ state: state as 'PENDING' })),
    }),
  ],
  [
    'action plan',
    actionPlanStateTable as StateTable<string, string>,
    () => ({
      transition: store.db.actionPlans.transition as Subject['transition'],
      insertIn: (state) =>
        insertActionPlan(store.db, world.audit, world.strategy, () => ({ state: state as 'PENDING' })),
    }),
  ],
  [
    'action',
    actionStateTable as StateTable<string, string>,
    () => ({
      transition: store.db.actions.transition as Subject['transition'],
      insertIn: (state) => insertAction(store.db, world.plan, () => ({ state: state as 'PENDING' })),
    }),
  ],
];

describe.each(subjects)('each event on an %s', (_name, table, subjectOf) => {
  const cases = table.transitions.flatMap((transition) =>
    table.states.map((state) => ({
      event: transition.event,
      state,
      to: transition.to,
      legal: transition.from.includes(state),
    })),
  );

  test('is tried in every state', () => {
    expect(cases.length).toBe(table.states.length * table.transitions.length);
  });

  test.each(cases)('$event in $state: $legal', async ({ event, state, to, legal }) => {
    const subject = subjectOf();
    const { uuid } = await subject.insertIn(state);
    const result = subject.transition(uuid, event, { set: { statusMessage: 'because' } });
    if (legal) {
      expect(await result).toMatchObject({ state: to, statusMessage: 'because' });
    } else {
      await expect(result).rejects.toMatchObject({ code: 'state_conflict', uuid, currentState: state });
    }
  });
});

test('an event on a missing or deleted row is reported', async () => {
  const plan = await insertActionPlan(store.db, world.audit, world.strategy);
  await store.db.actionPlans.softDelete(plan.uuid);
  for (const uuid of [randomUUID(), plan.uuid, 'no uuid']) {
    await expect(store.db.actionPlans.transition(uuid, 'start')).rejects.toMatchObject({ code: 'not_found' });
  }
});

test('one of two concurrent opposite events takes effect and the other is refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const plan = await insertActionPlan(store.db, world.audit, world.strategy, () => ({ state: 'ONGOING' }));
    const results = await Promise.allSettled([
      store.db.actionPlans.transition(plan.uuid, 'succeed'),
      store.db.actionPlans.transition(plan.uuid, 'requestCancel'),
    ]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'state_conflict' });
  }
});

test('each start increases the launch number', async () => {
  const plan = await insertActionPlan(store.db, world.audit, world.strategy, () => ({ launchSeq: 4 }));
  expect(await store.db.actionPlans.transition(plan.uuid, 'start')).toMatchObject({ launchSeq: 5, state: 'PENDING' });
  const other = await insertActionPlan(store.db, world.audit, world.strategy);
  const started = await store.db.actionPlans.transition(other.uuid, 'start', { set: { launchSeq: 9 } });
  expect(started.launchSeq).toBe(9);
});

test('cancelPending cancels only actions that have not started', async () => {
  const { plan } = await insertPlanWorld(store.db, { actions: 3 });
  const done = await insertAction(store.db, plan, () => ({ state: 'SUCCEEDED' }));
  expect(await store.db.actions.cancelPending(plan.uuid, { statusMessage: 'Cancelled by user' })).toBe(3);
  const states = (await store.db.actions.listByPlan(plan.uuid)).map((action) => [action.state, action.statusMessage]);
  expect(states).toEqual([...Array(3).fill(['CANCELLED', 'Cancelled by user']), ['SUCCEEDED', done.statusMessage]]);
  expect(await store.db.actions.cancelPending(plan.uuid, {})).toBe(0);
});
