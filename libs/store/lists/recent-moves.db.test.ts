import { expect, test } from 'vitest';
import { insertAction, insertPlanWorld, useStore } from '#tests';
import { holdingStates } from '../admission/admit-plan.ts';

const { store } = await useStore();

interface Given {
  instance: string;
  end?: 'succeed' | 'fail';
  /** Seconds before now. */
  ago?: number;
  actionType?: string;
}

/** A plan with ended actions as given, or pending ones. */
async function planWith(given: readonly Given[], event: 'start' | null = null): Promise<string> {
  const { plan, audit } = await insertPlanWorld(store.db, { actions: 0 });
  const now = (await store.db.now()).getTime();
  for (const { instance, end, ago = 0, actionType = 'migrate' } of given) {
    const move = { resource_id: instance, source_node: 'a', destination_node: 'b' };
    const inputParameters = actionType === 'revert' ? { action_type: 'migrate', input_parameters: move } : move;
    const { uuid } = await insertAction(store.db, plan, (row) => ({ ...row, actionType, inputParameters }));
    if (end === undefined) continue;
    await store.db.actions.transition(uuid, 'begin');
    await store.db.actions.transition(uuid, end, { set: { endedAt: new Date(now - 1000 * ago) } });
  }
  if (event !== null) await store.db.actionPlans.transition(plan.uuid, event);
  return audit.uuid;
}

test('lists recent succeeded moves and moves of started plans, of all audits', async () => {
  const audit = await planWith([
    { instance: 'moved', end: 'succeed', ago: 10 },
    { instance: 'moved back', end: 'succeed', ago: 20, actionType: 'revert' },
    { instance: 'moved long ago', end: 'succeed', ago: 200 },
    { instance: 'failed', end: 'fail' },
    { instance: 'stopped', end: 'succeed', actionType: 'stop' },
    { instance: 'proposed' },
  ]);
  await planWith([{ instance: 'to come' }], 'start');

  const moves = await store.db.recentMoves.list(100, holdingStates);

  expect(moves.map(({ instance }) => instance)).toEqual(['moved back', 'moved', 'to come']);
  expect(moves.map(({ endedAt }) => endedAt === null)).toEqual([false, false, true]);
  expect(moves[0]).toMatchObject({ from: 'a', to: 'b', audit });
});

test('a transaction lists the moves of the plan that it starts', async () => {
  const { plan } = await insertPlanWorld(store.db, { actions: 0 });
  const instances = await store.transaction(async (unit) => {
    await unit.actions.insert({
      uuid: crypto.randomUUID(),
      actionPlanId: plan.id,
      actionType: 'migrate',
      inputParameters: { resource_id: 'mine' },
    });
    await unit.actionPlans.transition(plan.uuid, 'start');
    return (await unit.recentMoves.list(100, holdingStates)).map(({ instance }) => instance);
  });
  expect(instances).toContain('mine');
});
