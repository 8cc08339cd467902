import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import type { StrategyPlugin } from '#libs/plugin-kit';
import { createTestWorld, movesOf, runStrategy, type TestWorld } from '#libs/plugin-kit/testing';
import { consolidationOptimizerStrategy } from '../consolidation_optimizer/strategy.ts';
import { placementOptimizerStrategy } from '../placement_optimizer/strategy.ts';

const strategies: [name: string, strategy: StrategyPlugin, parameters: JsonObject][] = [
  ['consolidation_optimizer', consolidationOptimizerStrategy as StrategyPlugin, {}],
  ['consolidate', placementOptimizerStrategy as StrategyPlugin, { preset: 'consolidate' }],
];

/** Hosts of 10 GiB with an instance of each given size, in GiB. */
function cloud(sizes: Record<string, number[]>): TestWorld {
  return {
    hosts: Object.keys(sizes).map((hostname) => ({ hostname, memory: 10_240 })),
    instances: Object.entries(sizes).flatMap(([host, all]) =>
      all.map((size, row) => ({ name: `${host}${row}`, host, memory: size * 1024 })),
    ),
  };
}

describe.each(strategies)('%s', (_, strategy, parameters) => {
  async function destinations(world: TestWorld, given: JsonObject = {}) {
    const snapshot = createTestWorld(world);
    const requested = { reserve_hosts: 0, time_limit: 1, ...parameters, ...given };
    const { actions } = await runStrategy(strategy, { snapshot, parameters: requested });
    return movesOf(actions).map(({ instance, to }) => `${instance} to ${to}`);
  }

  it('repairs with hosts that stay below the target', async () => {
    const world = cloud({ a: [6, 6], b: [3], c: [2], d: [3] });

    expect(await destinations(world)).toEqual([expect.stringMatching(/^a[01] to c$/)]);
  });

  it('repairs with a host that exceeds the target when no other has room', async () => {
    const world = cloud({ a: [6, 6], b: [4] });

    expect(await destinations(world)).toEqual([expect.stringMatching(/^a[01] to b$/)]);
  });

  it('moves several small instances instead of a large one that exceeds the target', async () => {
    const world = cloud({ a: [5, 4, 2, 2], b: [5], c: [6], d: [6] });

    expect((await destinations(world)).sort()).toEqual([
      expect.stringMatching(/^a2 to/),
      expect.stringMatching(/^a3 to/),
    ]);
  });

  it('exceeds the target only for repairs that are impossible within it', async () => {
    const world = cloud({ a: [5, 5, 2, 2], b: [5], c: [6], d: [6], e: [6, 6], f: [4] });

    expect((await destinations(world)).sort()).toEqual([
      expect.stringMatching(/^a2 to [bcd]$/),
      expect.stringMatching(/^a3 to [bcd]$/),
      expect.stringMatching(/^e[01] to f$/),
    ]);
  });

  it('uses the failure reserve before it exceeds the target', async () => {
    const member = (name: string, host: string, vcpus: number) => ({ name, host, vcpus, group: 'g' });
    const world: TestWorld = {
      hosts: [
        { hostname: 't', vcpus: 16 },
        ...['s', 'x', 'y'].map((hostname) => ({ hostname, vcpus: 4, memory: 4096 })),
        ...['full', 'free'].map((hostname) => ({ hostname, vcpus: 64 })),
      ],
      groups: [{ name: 'g', policy: 'affinity' }],
      instances: [
        ...[member('t0', 't', 2), member('t1', 't', 2), member('x0', 'x', 4), member('y0', 'y', 4)],
        ...[
          { name: 's0', host: 's', vcpus: 2, memory: 8192 },
          { name: 's1', host: 's', vcpus: 4, locked: true },
        ],
        // With another instance on `free`, these have too few places when their host fails.
        ...[0, 1, 2, 3].map((row) => ({ name: `f${row}`, host: 'full', vcpus: 16, locked: true })),
      ],
    };

    expect((await destinations(world, { reserve_hosts: 1 })).sort()).toEqual(['s0 to free', 'x0 to t', 'y0 to t']);
  });

  it('repairs with any host when the target is the capacity', async () => {
    const world = cloud({ a: [6, 6], b: [4], c: [4] });

    expect(await destinations(world, { target_utilization: { memory: 100 } })).toHaveLength(1);
  });
});

it('consolidation_optimizer counts the hosts that a repair empties', async () => {
  const snapshot = createTestWorld({
    hosts: [
      { hostname: 'a', zone: 'z1' },
      { hostname: 'b', zone: 'z2' },
    ],
    instances: [{ name: 'vm', host: 'a', pinnedZone: 'z2' }],
  });
  const { indicators } = await runStrategy(consolidationOptimizerStrategy, { snapshot });

  expect(indicators).toMatchObject({ instance_migrations_count: 1, released_compute_nodes_count: 1 });
});

it('consolidate empties disabled hosts within the target when it can free none', async () => {
  const world = cloud({ a: [7], b: [2], c: [2] });
  const snapshot = createTestWorld({
    hosts: world.hosts?.map((host) => (host.hostname === 'c' ? { ...host, status: 'disabled' as const } : host)),
    instances: world.instances?.map((instance) => ({ ...instance, locked: instance.host !== 'c' })),
  });
  const parameters = { preset: 'consolidate', reserve_hosts: 0, time_limit: 1 };
  const { actions } = await runStrategy(placementOptimizerStrategy, { snapshot, parameters });

  expect(movesOf(actions)).toMatchObject([{ from: 'c', to: 'b' }]);
});
