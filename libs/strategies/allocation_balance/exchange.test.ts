import { expect, it } from 'vitest';
import { type ComputeSnapshot, createWhatIf } from '#libs/cluster-model';
import { createStrategyWork } from '#libs/plugin-kit';
import { createTestWorld, type TestInstance, type TestWorld } from '#libs/plugin-kit/testing';
import { createOrderedHosts } from '../shared/hosts/ordered-hosts.ts';
import { exchangeInstances } from './exchange.ts';
import { createLevels } from './levels.ts';

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, host) => `${prefix}${host}`);

/** Eight equal instances on each host, whose memory has room for one more. */
function full(hosts: string[], vcpus: number, pinnedZone = ''): Pick<TestWorld, 'hosts' | 'instances'> {
  const zone = pinnedZone === '' ? 'nova' : pinnedZone;
  return {
    hosts: hosts.map((hostname) => ({ hostname, vcpus: 32, memory: 9 * 1024, zone })),
    instances: hosts.flatMap((host) =>
      names(`${host}-`, 8).map((name): TestInstance => ({ name, host, vcpus, memory: 1024, pinnedZone })),
    ),
  };
}

/** Makes all exchanges, counts the calls of the model, and checks sizes. */
function exchange(snapshot: ComputeSnapshot, work = createStrategyWork()) {
  const calls = { weights: 0, ways: 0 };
  const model = createWhatIf(snapshot);
  const hosts = snapshot.hostInfo.map((_, row) => row);
  const levels = createLevels(model, hosts, { resource: 'vcpus', instance_difference: 1, share_tolerance: 1 });
  const order = createOrderedHosts(hosts, levels.of);
  const moved = new Uint8Array(snapshot.instanceInfo.length);
  const weight: typeof levels.weight = (instance, host) => {
    calls.weights += 1;
    return levels.weight(instance, host);
  };
  const refusalAfter: typeof model.refusalAfter = (...move) => {
    calls.ways += 1;
    return model.refusalAfter(...move);
  };
  const state = { model: { ...model, refusalAfter }, levels: { ...levels, weight }, hosts, order, moved, work };
  let halves = 0;
  for (const { instance, from, to } of exchangeInstances(state)) {
    halves += 1;
    moved[instance] = 1;
    model.move(instance, to);
    for (const host of [from, to]) {
      levels.update(host);
      order.update(host, levels.of(host));
    }
  }
  return { halves, calls, used: hosts.map((host) => model.used(host).vcpus) };
}

it('an exchange updates its two hosts, without reading all pairs of hosts again', () => {
  const { halves, calls, used } = exchange(
    createTestWorld(
      names('h', 48)
        .map((host, row) => full([host], row % 2 ? 1 : 4))
        .reduce((all, one) => ({
          hosts: [...all.hosts, ...one.hosts],
          instances: [...(all.instances ?? []), ...(one.instances ?? [])],
        })),
    ),
  );
  expect(used).toEqual(used.map(() => 20));
  expect(halves).toBe(2 * 4 * 24);
  expect(calls.weights / halves).toBeLessThan(40_000);
});

/** Most exchanges would be between zones, where the instances are pinned. */
function pinnedWorld(): ComputeSnapshot {
  const parts = [full(names('b', 16), 1, 'b'), full(names('a', 16), 4, 'a'), full(names('c', 8), 1, 'a')];
  return createTestWorld({
    hosts: parts.flatMap(({ hosts }) => hosts),
    instances: parts.flatMap(({ instances = [] }) => instances),
  });
}

it('a refused move is not checked again while its hosts stay unchanged', () => {
  const { halves, calls } = exchange(pinnedWorld());

  expect(halves).toBeGreaterThan(40);
  expect(calls.ways / halves).toBeLessThan(1000);
});

it('ends when its work is done', () => {
  const work = createStrategyWork({ total: 5000 });
  const { halves } = exchange(pinnedWorld(), work);

  expect(work.endedBy()).toBe('work');
  expect(halves % 2).toBe(0);
  expect(work.spent).toBeLessThan(6000);
});
