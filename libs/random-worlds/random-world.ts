import type { CrookedWorld } from './crooked-world.ts';
import { createDraw } from './draw.ts';
import { addHosts } from './random-hosts.ts';
import { addMetrics } from './random-metrics.ts';
import { addOperations } from './random-operations.ts';
import { addPeculiarities } from './random-peculiarities.ts';
import { addServers } from './random-servers.ts';
import { addStorage } from './random-storage.ts';

/** From 2.96 on, Nova reports the requested zone of a server. Earlier versions do not. */
function reportPins({ servers, pins }: CrookedWorld, isReported: boolean): void {
  for (const server of servers) {
    if (isReported) server.pinnedAvailabilityZone = pins.get(server.uuid) ?? null;
  }
}

/** A world with all irregularities of real clouds. The same seed gives the same world. */
export function randomWorld(seed: number, largest = 40): CrookedWorld {
  const draw = createDraw(seed);
  const world: CrookedWorld = {
    ...{ seed, hypervisors: [], services: [], servers: [], aggregates: [], serverGroups: [], machines: [] },
    ...{
      inventories: new Map(),
      allocations: new Map(),
      furtherProviders: new Map(),
      traits: new Map(),
      pins: new Map(),
      cells: new Map(),
      metrics: new Map(),
    },
    hostBoundVolumes: new Set(),
    shares: new Map(),
    ports: [],
    storage: { services: [], pools: [], volumes: [], types: [], snapshots: [] },
  };
  const hosts = draw.whole(8, Math.max(8, draw.chance(0.7) ? Math.min(largest, 14) : largest));
  addHosts(world, draw, hosts);
  addServers(world, draw, Math.round(hosts * draw.pick([1, 2, 4, 6])));
  addStorage(world, draw);
  addOperations(world, draw);
  addPeculiarities(world, createDraw(seed ^ 0x9ec));
  reportPins(world, draw.chance(0.7));
  addMetrics(world, draw);
  return world;
}
