import { buildComputeSnapshot } from '#libs/cluster-model';
import { type WorldFile, withIds } from '#libs/world-file';
import { createDayCloud } from '../replay/day-cloud.ts';
import { createDayHistory } from '../replay/day-history.ts';
import { type DayWorld, stepSeconds } from '../replay/replay-world.ts';
import { listingsOf } from '../world-tool/audit/world-listings.ts';
import { type AssessedWorld, drawLimits, inOrder } from './assessed-world.ts';

/** Steps of load before the end that a run can read (a day). */
const readableSteps = 86_400 / stepSeconds;

/**
 * The end of a recorded or generated day as a world, with its load as history. Each world is assessed without limits
 * and with limits of an audit.
 */
export function recordedInputs(name: string, options: string, world: WorldFile, day: DayWorld): AssessedWorld[] {
  const listings = listingsOf(withIds(world));
  const endMs = day.startMs + (day.steps - 1) * stepSeconds * 1000;
  const names = {
    instances: listings.servers.map(({ uuid }) => uuid),
    hosts: listings.services.map(({ host }) => host),
    zones: [...new Set(listings.services.map(({ zone }) => zone))],
  };
  const cloud = createDayCloud({ ...day, instances: day.instances.map((one) => ({ ...one, arrives: 0 })) });
  const history = createDayHistory();
  for (let step = Math.max(0, day.steps - readableSteps); step < day.steps; step += 1)
    history.record(day.startMs + step * stepSeconds * 1000, cloud, step);
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

/** Seed of the limits of a recorded world. It draws exclusions and rests. */
const limitedSeed = 5;
