import { describe, expect, it, test } from 'vitest';
import { randomWorld } from '#libs/random-worlds';
import type { Fault } from './judge-audit.ts';
import { judgeCalm } from './judge-calm.ts';
import { judgeWorlds } from './judge-worlds.ts';

test('no strategy proposes anything that Nova or Cinder would refuse on 200 crooked worlds', async () => {
  const faults: Fault[] = [];
  const onFault = (fault: Fault) => faults.push(fault);
  const verdict = await judgeWorlds({ worlds: 200, seed: 1, orders: 3, hosts: 11, every: 40, onFault });
  expect(faults).toEqual([]);
  expect(verdict.audits).toBeGreaterThan(250);
  expect(verdict.moves).toBeGreaterThan(500);
});

describe('worlds at rest', () => {
  const strategies = ['basic', 'vm_workload_consolidation', 'node_resource_consolidation', 'workload_stabilization'];
  it.each<[string, object]>([
    ...[...strategies, 'allocation_balance', 'balance_optimizer'].map((name): [string, object] => [name, {}]),
    ['balance_optimizer', { preset: 'even' }],
  ])('%s %o leaves them alone when loads vary a little', async (strategy, parameters) => {
    const restless: object[] = [];
    for (let seed = 1; seed <= 8; seed++) {
      const world = randomWorld(seed, 8);
      const calm = await judgeCalm(world, { strategy, parameters: { ...parameters } }, { audits: 6, share: 0.05 });
      if (!calm.settled || calm.flaps > 0) restless.push({ seed, ...calm });
    }
    expect(restless).toEqual([]);
  });
});
