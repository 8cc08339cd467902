import { createHash } from 'node:crypto';
import { buildComputeSnapshot } from '#libs/cluster-model';
import type { WorldFile } from '#libs/world-file';
import { createDayCloud } from '../replay/day-cloud.ts';
import { createDayHistory } from '../replay/day-history.ts';
import { loadOfHosts } from '../replay/load.ts';
import { type DayWorld, stepSeconds } from '../replay/replay-world.ts';
import { listingsOf } from '../world-tool/audit/world-listings.ts';
import { type AssessedWorld, drawLimits, inOrder } from './assessed-world.ts';

/** Steps of load before the end that a run can read: a day. */
const readableSteps = 86_400 / stepSeconds;

/**
 * The end of a recorded or generated day as a world, with its load as history. Each is assessed as a whole, and with
 * limits of an audit.
 */
export function recordedInputs(name: string, options: string, world: WorldFile, day: DayWorld): AssessedWorld[] {
  const listings = listingsOf(world);
  const endMs = day.startMs + (day.steps - 1) * stepSeconds * 1000;
  const names = {
    instances: listings.servers.map(({ uuid }) => uuid),
    hosts: listings.services.map(({ host }) => host),
    zones: [...new Set(listings.services.map(({ zone }) => zone))],
  };
  const cloud = createDayCloud({ ...day, instances: day.instances.map((one) => ({ ...one, arrives: 0 })) });
  const history = createDayHistory();
  for (let step = Math.max(0, day.steps - readableSteps); step < day.steps; step += 1)
    history.record(day.startMs + step * stepSeconds * 1000, cloud, step, loadOfHosts(cloud, step));
  const machines = cloud.baremetal(endMs);
  const assessed = (seed: number): AssessedWorld => ({
    name: seed === 0 ? name : `${name}, with a limited audit`,
    ...{ options, size: names.hosts.length + names.instances.length },
    limits:
      seed === 0 ? drawLimits({ instances: [], hosts: [], zones: [] }, 0) : drawLimits({ ...names, zones: [] }, seed),
    input(order) {
      const rows = inOrder(
        { ...listings, takenAtMs: endMs },
        ['hypervisors', 'services', 'servers', 'aggregates', 'serverGroups'],
        order,
      );
      const snapshot = buildComputeSnapshot(rows);
      const baremetal = inOrder(machines, ['nodes'], order);
      return { snapshot, baremetal, history, nowMs: endMs };
    },
  });
  return [assessed(0), assessed(limitedSeed)];
}

/** Seed of the limits of a recorded world: one that draws exclusions and rests. */
const limitedSeed = 5;

/** The world with uuids of all hosts, instances and machines. Worlds that were written by hand may have none. */
export function withUuids(world: WorldFile): WorldFile {
  return {
    ...world,
    hosts: world.hosts.map((host) => ({ ...host, uuid: host.uuid ?? uuidOf(`host ${host.hostname}`) })),
    servers: world.servers.map((server) => ({ ...server, uuid: server.uuid ?? uuidOf(`server ${server.name}`) })),
    baremetal_nodes: (world.baremetal_nodes ?? []).map((node) => ({
      ...node,
      uuid: node.uuid ?? uuidOf(`node ${node.name}`),
    })),
  };
}

function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
