import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import type { PlacementRule } from '#libs/domain';
import { createFakeCloud } from '#tests';
import { type ActionSpec, moveSpec, serverId, useApplierBench } from '../../testing/applier-bench.ts';

const bench = await useApplierBench();
afterEach(async () => {
  for (const { uuid } of await bench.store.db.placementRules.list())
    await bench.store.db.placementRules.softDelete(uuid);
});

/** Fake servers are named by their uuids. */
const named = (...numbers: number[]) => ({ names: numbers.map(serverId) });

async function store(kind: PlacementRule['kind'], changes: Partial<PlacementRule>): Promise<void> {
  await bench.store.db.placementRules.insert({
    uuid: randomUUID(),
    name: 'late',
    description: null,
    kind,
    instances: named(1),
    hosts: null,
    isStrict: true,
    maxPerHost: kind === 'keep_apart' ? 1 : null,
    enabled: true,
    ...changes,
  });
}

/** Servers 1 and 2 are on `a`, 3 is on `b`. Hosts of `b` are in the aggregate `fast`. */
async function run(specs: ActionSpec[]) {
  const cloud = createFakeCloud({
    hosts: ['a', 'b', 'c'].map((name) => ({ name, zone: name === 'c' ? 'z2' : 'z1' })),
    servers: [1, 2, 3].map((number) => ({ uuid: serverId(number), host: number === 3 ? 'b' : 'a' })),
    aggregates: [{ name: 'fast', hosts: ['b'] }],
  });
  const outcome = await bench.run(bench.runner({ cloud }), await bench.plan(specs));
  return { ...outcome, asked: cloud.mutations.length };
}

const toNovasChoice: ActionSpec = {
  type: 'migrate',
  input: { migration_type: 'live', resource_id: serverId(1), source_node: 'a', destination_node: null },
};

const resized: ActionSpec = { type: 'resize', input: { resource_id: serverId(1), flavor: 'large' } };

it.each<[string, PlacementRule['kind'], Partial<PlacementRule>, ActionSpec, string]>([
  ['leaves alone what would be resized', 'leave_alone', {}, resized, `leaves instance ${serverId(1)} alone`],
  ['keeps apart what would be resized', 'keep_apart', {}, resized, 'its destination to Nova'],
  ['leaves an instance alone', 'leave_alone', {}, moveSpec(1, 'a', 'b'), `leaves instance ${serverId(1)} alone`],
  ['avoids an aggregate', 'avoid_hosts', { hosts: { aggregates: ['fast'] } }, moveSpec(1, 'a', 'b'), 'go to b'],
  ['prefers a zone', 'prefer_hosts', { hosts: { zones: ['z1'] } }, moveSpec(1, 'a', 'c'), 'go to c'],
  ['keeps two apart', 'keep_apart', { instances: named(1, 3) }, moveSpec(1, 'a', 'b'), 'go to b'],
  ['keeps two together', 'keep_together', { instances: named(1, 2) }, moveSpec(1, 'a', 'b'), 'go to b'],
  ['is about an instance that goes where Nova likes', 'keep_apart', {}, toNovasChoice, 'its destination to Nova'],
])('a rule that came after the plan stops the move: it %s', async (_, kind, changes, spec, text) => {
  await store(kind, changes);
  const { state, actions, messages, asked } = await run([spec]);
  expect({ state, actions, asked }).toEqual({ state: 'FAILED', actions: ['FAILED'], asked: 0 });
  expect(messages[0]).toContain(`Action failed in pre_condition: The operator's rule "late" (${kind})`);
  expect(messages[0]).toContain(text);
});

it.each<[string, PlacementRule['kind'], Partial<PlacementRule>, ActionSpec[]]>([
  ['is about others', 'leave_alone', { instances: named(2) }, [moveSpec(1, 'a', 'b')]],
  ['is switched off', 'leave_alone', { enabled: false }, [moveSpec(1, 'a', 'b')]],
  ['is a wish only', 'avoid_hosts', { hosts: { names: ['b'] }, isStrict: false }, [moveSpec(1, 'a', 'b')]],
  ['names other hosts', 'avoid_hosts', { hosts: { names: ['c'] } }, [moveSpec(1, 'a', 'b')]],
  [
    'is kept once the other one has left',
    'keep_apart',
    { instances: named(1, 3) },
    [moveSpec(1, 'a', 'b'), moveSpec(3, 'b', 'c', { after: [0] })],
  ],
  [
    'is kept once the other one has followed',
    'keep_together',
    { instances: named(1, 2) },
    [moveSpec(1, 'a', 'b'), moveSpec(2, 'a', 'b', { after: [0] })],
  ],
])('a rule lets moves continue: it %s', async (_, kind, changes, specs) => {
  await store(kind, changes);
  const { state, asked } = await run(specs);
  expect({ state, asked }).toEqual({ state: 'SUCCEEDED', asked: specs.length });
});

it('of two instances that a plan brings together against a new rule one stays', async () => {
  await store('keep_apart', { instances: named(1, 2) });
  const { actions } = await run([moveSpec(1, 'a', 'c'), moveSpec(2, 'a', 'c', { after: [0] })]);
  expect(actions).toEqual(['FAILED', 'SUCCEEDED']);
});
