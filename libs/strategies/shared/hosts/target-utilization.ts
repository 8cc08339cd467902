import type { WhatIf } from '#libs/cluster-model';

/** Name of the constraint in reports. */
export const targetConstraint = 'target-utilization';

/** Upper limit of the filling of hosts in percent, by resource. `vcpus` and `memory` also limit measured use. */
export interface TargetUtilization {
  vcpus: number;
  memory: number;
  disk: number;
}

const percent = { type: 'number', minimum: 1, maximum: 100 } as const;

/** Schema of the parameter `target_utilization`. Not one of Watcher's, hence without a default. See `targetOf`. */
export const targetUtilizationSchema = {
  'x-texts': { de: { title: 'Zielauslastung' } },
  description:
    'Percent to which consolidation fills a compute node at most: of its capacity by allocations, and of its physical CPUs ' +
    'and memory by measured use. 80 each where it is not given; 100 fills hosts to the last place, as Watcher does.',
  type: 'object',
  properties: { vcpus: percent, memory: percent, disk: percent },
  additionalProperties: false,
} as const;

/** The parameter with its defaults: 80 % of each. */
export function targetOf(given: Partial<TargetUtilization> | undefined): TargetUtilization {
  return { vcpus: 80, memory: 80, disk: 80, ...given };
}

type Room = ReturnType<WhatIf['free']>;

/** Slack against rounding, as the model has it. */
export const tolerance = 1e-6;

/**
 * Allocations of a host against the target. Dedicated CPUs do not count: they are not shared, and full use harms
 * nothing.
 */
export interface AllocationTarget {
  /** Whether the target is the capacity itself, so that the model says all there is to say. */
  readonly isPacked: boolean;
  /** Amount that may still come. Below 0 on a host that is above the target. */
  room(host: number): Room;
  admits(instance: number, host: number): boolean;
}

/** Follows the model. Every call costs O(1). */
export function createAllocationTarget(model: WhatIf, target: TargetUtilization): AllocationTarget {
  /** Part of a host that stays free at the target. */
  const spare = model.snapshot.hostInfo.map((_, host): Room => {
    const { vcpus, memory, disk } = model.capacity(host);
    const left = (capacity: number, percentage: number) => (capacity * (100 - percentage)) / 100;
    return { vcpus: left(vcpus, target.vcpus), memory: left(memory, target.memory), disk: left(disk, target.disk) };
  });
  const needs = model.snapshot.instanceInfo.map((_, instance) => model.needs(instance));
  const fits = (need: number, free: number) => need === 0 || need <= free + tolerance;

  function room(host: number): Room {
    const free = model.free(host);
    const kept = spare[host] as Room;
    free.vcpus -= kept.vcpus;
    free.memory -= kept.memory;
    free.disk -= kept.disk;
    return free;
  }

  return {
    isPacked: Math.min(target.vcpus, target.memory, target.disk) >= 100,
    room,
    admits(instance, host) {
      const { vcpus, memory, disk } = needs[instance] as Room;
      const left = room(host);
      return fits(vcpus, left.vcpus) && fits(memory, left.memory) && fits(disk, left.disk);
    },
  };
}
