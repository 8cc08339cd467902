import { createDraw, type Draw } from '#libs/random-worlds';
import { emptyLoad, type WorldFile } from '#libs/world-file';
import { type DayWorld, stepSeconds } from '../replay/replay-world.ts';
import { seriesOf } from '../replay/step-series.ts';
import { recordedDay } from '../world-tool/audit/recorded-day.ts';

const stepsOfDay = 86_400 / stepSeconds;
const hostCount = 8;
/** A Monday. */
const startMs = Date.UTC(2026, 0, 5);
const watts = [120, 400] as const;

const flavors = [
  { name: 'small', vcpus: 1, ram_mb: 2048, disk_gb: 10 },
  { name: 'medium', vcpus: 2, ram_mb: 4096, disk_gb: 20 },
  { name: 'large', vcpus: 4, ram_mb: 8192, disk_gb: 40 },
];

/** A day of a cloud. `still`: neither load nor cloud changes. */
export interface GeneratedDay {
  name: string;
  still: boolean;
  world: WorldFile;
  day: DayWorld;
}

/** Days of a cloud of 8 hosts of two zones with groups: one on which nothing changes, and one with seasons of load. */
export function generatedDays(seed: number): GeneratedDay[] {
  const world = generatedCloud(seed);
  return [true, false].map((still) => ({
    ...{ name: still ? 'still day' : 'day with seasons', still, world },
    day: dayOf(world, still ? stillPercents : seasonPercents, seed),
  }));
}

/** A cloud in which hosts differ in the number and the activity of their instances. */
function generatedCloud(seed: number): WorldFile {
  const draw = createDraw(seed ^ 0xda1);
  const hosts = Array.from({ length: hostCount }, (_, row) => ({
    ...{ hostname: `compute-${row + 1}`, vcpus: 16, memory_mb: 65_536, disk_gb: 1000, cpu_allocation_ratio: 2 },
    zone: row % 4 === 3 ? 'az2' : 'az1',
  }));
  const groups = [
    { name: 'apart', policy: 'anti-affinity' as const },
    { name: 'together', policy: 'affinity' as const },
  ];
  const servers = hosts.flatMap(({ hostname, zone }, row) =>
    Array.from({ length: draw.whole(1, 9) }, (_, index) => ({
      ...{ name: `vm-${row + 1}-${index + 1}`, host: hostname, flavor: draw.pick(flavors).name },
      ...groupOf(row, index),
      ...(draw.chance(0.1) ? { locked: true } : {}),
      ...(draw.chance(0.1) ? { pinned_zone: zone } : {}),
    })),
  );
  const nodes = hosts.map(({ hostname }, row) => ({ name: `machine-${row + 1}`, host: hostname }));
  return {
    ...{ format: 'vigil-simulator-world', version: 1, name: 'generated' },
    ...{ hosts, flavors, servers, server_groups: groups, baremetal_nodes: nodes },
  };
}

/**
 * The first instances of five hosts are an anti-affinity group, and the next two of the first host an affinity group.
 */
function groupOf(row: number, index: number): { group?: string } {
  if (index === 0 && row < 5) return { group: 'apart' };
  return row === 0 && index < 3 ? { group: 'together' } : {};
}

type Percents = (draw: Draw, activity: number) => Float32Array;

function dayOf(world: WorldFile, percentsOf: Percents, seed: number): DayWorld {
  const draw = createDraw(seed ^ 0x10ad);
  const sizes = { servers: world.servers.length, hosts: world.hosts.length };
  const load = emptyLoad(sizes, { startMs, stepSeconds, steps: stepsOfDay });
  const day = recordedDay(world, load, watts);
  const activities = new Map(world.hosts.map(({ hostname }) => [hostname, draw.between(5, 90)]));
  const loads = world.servers.map(({ host }) => ({
    cpu: percentsOf(draw, activities.get(host) ?? 0),
    memory: new Float32Array(stepsOfDay).fill(draw.between(30, 80)),
  }));
  const series = (name: 'cpu' | 'memory') => seriesOf(loads.map((one) => one[name]));
  return {
    ...day,
    load: { cpu: series('cpu'), memory: series('memory'), overhead: null },
    instances: day.instances.map((instance) => ({ ...instance, arrives: 0 })),
  };
}

function stillPercents(draw: Draw, activity: number): Float32Array {
  return new Float32Array(stepsOfDay).fill(Math.min(100, activity * draw.between(0.5, 1.5)));
}

/** A peak of some hours with noise of a tenth. */
function seasonPercents(draw: Draw, activity: number): Float32Array {
  const [peak, width] = [draw.pick([3, 11, 14, 20]), draw.between(2, 5)];
  const level = Math.min(100, activity * draw.between(0.5, 1.5));
  return Float32Array.from({ length: stepsOfDay }, (_, step) => {
    const distance = Math.abs((step * 24) / stepsOfDay - peak);
    const hours = Math.min(distance, 24 - distance);
    return Math.min(100, level * (0.3 + 0.7 * Math.exp(-(hours ** 2) / (2 * width ** 2))) * draw.between(0.9, 1.1));
  });
}
