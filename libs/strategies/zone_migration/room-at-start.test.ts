import { expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { createTestWorld, runStrategy, type TestWorld } from '#libs/plugin-kit/testing';
import { createTestStorage, type TestStorage } from '../testing/test-storage.ts';
import { zoneMigrationStrategy } from './strategy.ts';

const withoutServers: TestWorld = { hosts: [{ hostname: 'h' }] };

/** Runs the strategy. `moved` has the name of each instance or volume and the node that it goes to. */
async function run(parameters: JsonObject, world: TestWorld, storage?: TestStorage) {
  const result = await runStrategy(zoneMigrationStrategy, {
    snapshot: createTestWorld(world),
    storage: storage && createTestStorage(storage),
    parameters,
  });
  const moved = result.actions.map(({ inputParameters: input }) => [input.resource_name, input.destination_node]);
  return { ...result, moved };
}

it('sends nothing where there is room only after others of the plan have left', async () => {
  const full = { vcpus: 16, vcpusRatio: 1 };
  const world: TestWorld = {
    hosts: ['x', 'y', 'z'].map((hostname) => ({ hostname, ...full })),
    instances: [
      { name: 'big', host: 'x', vcpus: 16 },
      { name: 'small', host: 'y', vcpus: 15 },
    ],
  };
  const parameters = {
    compute_nodes: [
      { src_node: 'y', dst_node: 'z' },
      { src_node: 'x', dst_node: 'y' },
    ],
  };
  const { moved, report } = await run(parameters, world);
  expect(moved).toEqual([['small', 'z']]);
  expect(report.blocked).toContainEqual({ constraint: 'vcpu', count: 1, examples: ['big'] });
  expect(report.notes.join()).toContain(
    '1 move waits for the next run: other moves of this plan must first free the room',
  );

  const fits = { ...world, instances: [{ name: 'big', host: 'x', vcpus: 1 }, ...(world.instances ?? []).slice(1)] };
  const both = await run(parameters, fits);
  expect(both.actions).toHaveLength(2);
  expect(both.report.notes).toContain('y is a source and a destination: arrivals there leave with the next run');
});

it('sends no volume to a pool that has room only after others of the plan have left', async () => {
  const pools = [
    { name: 'a@a#a', total: 100, free: 60 },
    { name: 'b@b#b', total: 100, free: 10 },
    { name: 'c@c#c', total: 100, free: 90 },
  ];
  const storage = {
    pools,
    volumes: [
      { name: 'v0', pool: 'b@b#b', size: 30 },
      { name: 'v1', pool: 'a@a#a', size: 30 },
      { name: 'v2', pool: 'a@a#a', size: 5 },
    ],
  };
  const parameters = {
    storage_pools: [
      { src_pool: 'b@b#b', dst_pool: 'c@c#c' },
      { src_pool: 'a@a#a', dst_pool: 'b@b#b' },
    ],
  };
  const { moved, report } = await run(parameters, withoutServers, storage);
  expect(moved.map(([name]) => name)).toEqual(['v0', 'v2']);
  expect(report.notes.join()).toContain('1 move waits for the next run');
});
