import type { PowerModel } from './power-models.ts';
import { powerModels } from './power-models.ts';
import type { Traces } from './traces.ts';

/** Time between two samples of load, and between two audits. */
export const stepSeconds = 300;

export interface DayHost {
  name: string;
  vcpus: number;
  memoryMb: number;
  watts: PowerModel;
}

export interface DayInstance {
  name: string;
  vcpus: number;
  memoryMb: number;
  /** First step in which it exists, and the first in which it no longer does. */
  arrives: number;
  departs: number;
  /** Demanded CPU in percent of its vcpus, by step. */
  percents: Float32Array;
}

/** A cloud and its load over time. Nothing in it depends on decisions. */
export interface DayWorld {
  name: string;
  steps: number;
  hosts: DayHost[];
  instances: DayInstance[];
  /** Hosts that fail at a step and are repaired at a later one. */
  failures: { host: number; fails: number; returns: number }[];
}

/** A vcpu of these clouds is 100 MIPS of CloudSim's set-up. */
const hostKinds = [
  { vcpus: 37, watts: powerModels['hp-ml110-g4'] },
  { vcpus: 53, watts: powerModels['hp-ml110-g5'] },
] as const;

/** CloudSim's sizes of virtual machines, in turn. */
export const instanceKinds = [
  { vcpus: 25, memoryMb: 870 },
  { vcpus: 20, memoryMb: 1740 },
  { vcpus: 10, memoryMb: 1740 },
  { vcpus: 5, memoryMb: 613 },
] as const;

/** Half of the hosts of each kind, in turn. Their memory does not limit the placement, as in CloudSim's set-up. */
export function dayHosts(count: number): DayHost[] {
  return Array.from({ length: count }, (_, row) => ({
    name: `compute-${String(row).padStart(4, '0')}`,
    memoryMb: 65_536,
    ...hostKinds[row % hostKinds.length]!,
  }));
}

/** CloudSim's set-up for PlanetLab's traces: 1,052 virtual machines on 800 hosts, or the same share of other sizes. */
export function tracesWorld(traces: Traces, hosts: number): DayWorld {
  const count = Math.min(traces.length, Math.round((traces.length * hosts) / 800));
  const steps = traces[0]?.length ?? 0;
  return {
    name: 'traces',
    steps,
    hosts: dayHosts(hosts),
    instances: traces.slice(0, count).map((percents, row) => ({
      name: `vm-${row}`,
      ...instanceKinds[row % instanceKinds.length]!,
      ...{ arrives: 0, departs: steps, percents },
    })),
    failures: [],
  };
}
