import { expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import type { ActionPlanView } from '#libs/store';
import { insertActionPlan, insertAudit, insertGoal, insertStrategy, useStore } from '#tests';
import { readPast } from './read-past.ts';

let plans: { own: ActionPlanView; foreign: ActionPlanView; balancing: ActionPlanView };
let minute = 0;

const { store } = await useStore();
const { db } = store;
const maintaining = await insertGoal(db, () => ({ name: 'cluster_maintaining' }));
const balancing = await insertGoal(db, () => ({ name: 'workload_balancing' }));
const maintenance = await insertStrategy(db, maintaining);
const balance = await insertStrategy(db, balancing);
const audit = await insertAudit(db, maintenance);
const other = await insertAudit(db, maintenance);
plans = {
  own: await insertActionPlan(db, audit, maintenance),
  foreign: await insertActionPlan(db, other, maintenance),
  balancing: await insertActionPlan(db, await insertAudit(db, balance), balance),
};

/** An action that ended, each a minute after the one before. */
async function ended(
  plan: ActionPlanView,
  actionType: string,
  inputParameters: JsonObject,
  event: 'succeed' | 'fail' = 'succeed',
  set = { endedAt: new Date(Date.UTC(2026, 0, 1, 0, minute + 1)) },
) {
  const { uuid } = await store.db.actions.insert({
    uuid: crypto.randomUUID(),
    actionPlanId: plan.id,
    actionType,
    inputParameters,
  });
  await store.db.actions.transition(uuid, 'begin');
  minute += 1;
  await store.db.actions.transition(uuid, event, { set });
}
const move = (resource_id: string, source_node: string, destination_node: string | null = 'd') => ({
  migration_type: 'live',
  resource_id,
  source_node,
  destination_node,
});
const service = (resource_name: string, state: string) => ({ resource_id: resource_name, resource_name, state });
const undo = (action_type: string, input_parameters: JsonObject) => ({ action_type, input_parameters });

it("returns the hosts that instances left last, and the audit's disabled hosts and failures", async () => {
  await ended(plans.own, 'change_nova_service_state', service('a', 'disabled'));
  await ended(plans.own, 'change_nova_service_state', service('b', 'disabled'));
  await ended(plans.foreign, 'change_nova_service_state', service('c', 'disabled'));
  await ended(plans.own, 'migrate', move('one', 'a'));
  await ended(plans.own, 'migrate', move('one', 'd', null));
  await ended(plans.foreign, 'migrate', move('two', 'c'));
  await ended(plans.own, 'migrate', move('three', 'a'), 'fail');
  await ended(plans.balancing, 'migrate', move('four', 'a'));
  await ended(plans.balancing, 'migrate', move('five', 'a'), 'fail');
  await ended(plans.own, 'migrate', move('six', 'a'));
  await ended(plans.own, 'revert', undo('migrate', move('six', 'a')));
  await ended(plans.own, 'revert', undo('change_nova_service_state', service('b', 'disabled')));

  for (const [plan, input] of [
    [plans.foreign, move('seven', 'a')],
    [plans.own, move('eight', 'a')],
    [plans.own, move('nine', 'a', null)],
    [plans.own, service('a', 'enabled')],
  ] as const)
    await store.db.actions.insert({
      uuid: crypto.randomUUID(),
      actionPlanId: plan.id,
      actionType: 'destination_node' in input ? 'migrate' : 'change_nova_service_state',
      inputParameters: input,
    });

  expect(await readPast(store.db, audit.uuid, 'cluster_maintaining')).toEqual({
    departures: { one: 'd', two: 'c', six: 'd' },
    disabled: ['a'],
    woken: [],
    failures: 1,
    // Not yet made, with a host to go to.
    open: [{ instance: 'eight', host: 'd' }],
  });
  expect(await readPast(store.db, null, 'cluster_maintaining')).toMatchObject({ disabled: [], failures: 0, open: [] });
  expect(await readPast(store.db, null, 'nothing')).toEqual({
    ...{ departures: {}, disabled: [], woken: [], failures: 0, open: [] },
  });
});

it('returns the hosts that plans of any audit have enabled in the last hour, and none has disabled since', async () => {
  const now = await store.db.now();
  const ago = (minutes: number) => ({ endedAt: new Date(now.getTime() - minutes * 60_000) });
  const enable = (host: string) => service(host, 'enabled');
  await ended(plans.own, 'change_nova_service_state', enable('long ago'), 'succeed', ago(61));
  await ended(plans.balancing, 'change_nova_service_state', enable('reserve'), 'succeed', ago(59));
  await ended(plans.own, 'change_nova_service_state', enable('disabled again'), 'succeed', ago(50));
  await ended(plans.foreign, 'change_nova_service_state', service('disabled again', 'disabled'), 'succeed', ago(40));
  await ended(plans.own, 'change_nova_service_state', enable('failed'), 'fail', ago(30));
  await ended(
    plans.foreign,
    'revert',
    undo('change_nova_service_state', service('put back', 'disabled')),
    'succeed',
    ago(1),
  );

  const { woken } = await readPast(store.db, audit.uuid, 'cluster_maintaining');
  expect(woken).toEqual(['reserve', 'put back']);
});
