import { expect, test } from 'vitest';
import type { Fault } from './judge-audit.ts';
import { judgeWorlds } from './judge-worlds.ts';

test('no strategy proposes anything that Nova or Cinder would refuse on 200 crooked worlds', async () => {
  const faults: Fault[] = [];
  const onFault = (fault: Fault) => faults.push(fault);
  const verdict = await judgeWorlds({ worlds: 200, seed: 1, orders: 3, hosts: 11, every: 40, onFault });
  expect(faults).toEqual([]);
  expect(verdict.audits).toBeGreaterThan(250);
  expect(verdict.moves).toBeGreaterThan(500);
});
