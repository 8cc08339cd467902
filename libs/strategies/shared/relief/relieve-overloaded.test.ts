import { expect, it } from 'vitest';
import { createWhatIf } from '#libs/cluster-model';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { createAllocationTarget } from '../hosts/target-utilization.ts';
import { createBlockedTally } from '../report/blocked-tally.ts';
import { createMeasuredUse } from './measured-use.ts';
import { relieveOverloaded } from './relieve-overloaded.ts';
import { createWorkspace } from './workspace.ts';

const target = { vcpus: 100, memory: 100, disk: 100 };
const gib = 1024;

/** Host `a` is hot. Each of `b` has one place, and the failure of `c` needs all of them. */
function cloudWithoutSpareRoom(roomy: readonly string[]) {
  const host = (hostname: string, memory: number) => ({ hostname, memory: memory * gib, vcpusRatio: 4 });
  const instance = (name: string, on: string, memory: number) => ({ name, host: on, vcpus: 4, memory: memory * gib });
  return createTestWorld({
    hosts: [{ ...host('a', 6), vcpus: 8 }, ...roomy.map((name) => host(name, 8)), host('c', 4 * roomy.length)],
    instances: [
      ...['x0', 'x1'].map((name) => instance(name, 'a', 3)),
      ...roomy.map((on) => instance(`on ${on}`, on, 4)),
      ...roomy.map((_, row) => instance(`c${row}`, 'c', 4)),
    ],
  });
}

it.each([1, 2])('checks each destination once for a reserve of %i hosts where all of them break it', (reserve) => {
  const roomy = ['b0', 'b1', 'b2', 'b3'];
  const snapshot = cloudWithoutSpareRoom(roomy);
  const column = (value: (row: number) => number) => Float64Array.from(snapshot.instanceInfo, (_, row) => value(row));
  const none = column(() => Number.NaN);
  const values = {
    ...{ instanceRam: none, instanceRamAllocated: none, hostRam: none },
    instanceCpu: column((row) => (row < 2 ? 95 : 10)),
    hostCpu: Float64Array.from(snapshot.hostInfo, (_, row) => (row === 0 ? 95 : 10)),
  };
  const use = createMeasuredUse(snapshot, values, { vcpus: 80, memory: 100 });
  const real = createWhatIf(snapshot);
  let moves = 0;
  const model = {
    ...real,
    move(instance: number, to: number) {
      moves++;
      real.move(instance, to);
    },
  };
  const hosts = [...snapshot.hostInfo.keys()];
  const space = createWorkspace(model, { use, target: createAllocationTarget(model, target) }, hosts);
  const relief = relieveOverloaded(space, hosts, createBlockedTally(), { failureReserve: reserve });

  expect([relief.relieved, space.mark()]).toEqual([[0], 1]);
  const thereAndBack = 2;
  expect(moves).toBe(roomy.length * reserve * thereAndBack + 1);
});
