import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  applyActions,
  assertWellBehaved,
  createTestWorld,
  movesOf,
  runStrategy,
} from 'openstack-vigil/plugin-kit/testing';
import { myStrategy } from './strategy.js';

const crowded = () =>
  createTestWorld({
    hosts: [{ hostname: 'full' }, { hostname: 'empty' }, { hostname: 'off', status: 'disabled' }],
    instances: ['a', 'b', 'c'].map((name) => ({ name, host: 'full' })),
  });

test('a crowded host gives instances to one that may have them', async () => {
  const snapshot = crowded();
  const { actions } = await runStrategy(myStrategy, { snapshot, parameters: { max_instances: 2 } });
  assert.deepEqual(movesOf(actions), [{ instance: 'a', from: 'full', to: 'empty' }]);
  assert.deepEqual([...applyActions(snapshot, actions).instancesOn(1)].length, 1);
});

test('nothing is moved without need, and the report says why', async () => {
  const { actions, report } = await runStrategy(myStrategy, { snapshot: crowded() });
  assert.deepEqual(actions, []);
  assert.match(report.emptyBecause ?? '', /max_instances/);
});

test('it is pure and explains itself', () => assertWellBehaved(myStrategy, { snapshot: crowded() }));
