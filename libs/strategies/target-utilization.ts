import type { WhatIf } from '#libs/cluster-model';
import type { JsonObject } from '#libs/domain';

/** Name of the constraint in reports. */
export const targetConstraint = 'target-utilization';

/** Percent to which hosts are filled at most, by resource; `vcpus` and `memory` hold for what is measured too. */
export interface TargetUtilization {
  vcpus: number;
  memory: number;
  disk: number;
}

const percent: JsonObject = { type: 'number', minimum: 1, maximum: 100 };

/** Schema of the parameter `target_utilization`. Not one of Watcher's, hence without a default; see `targetOf`. */
export const targetUtilizationSchema: JsonObject = {
  description:
    'Percent to which consolidation fills a compute node at most: of its capacity by allocations, and of its physical CPUs ' +
    'and memory by what is measured. 80 each where it is not given; 100 fills hosts to the last place, as Watcher does.',
  type: 'object',
  properties: { vcpus: percent, memory: percent, disk: percent },
  additionalProperties: false,
};

/** The parameter with its defaults: 80 % of each. */
export function targetOf(given: Partial<TargetUtilization> | undefined): TargetUtilization {
  return { vcpus: 80, memory: 80, disk: 80, ...given };
}

type Room = ReturnType<WhatIf['free']>;

/** Slack against rounding, as the model has it. */
const tolerance = 1e-6;

/** What is allocated on a host against the target. Dedicated CPUs do not count: nobody shares them, and full use harms nobody. */
export interface AllocationTarget {
  /** What may still come; below 0 on a host that is above the target. */
  room(host: number): Room;
  admits(instance: number, host: number): boolean;
}

/** Follows the model; every question costs O(1). */
export function createAllocationTarget(model: WhatIf, target: TargetUtilization): AllocationTarget {
  function room(host: number): Room {
    const [capacity, used] = [model.capacity(host), model.used(host)];
    return {
      vcpus: (capacity.vcpus * target.vcpus) / 100 - used.vcpus,
      memory: (capacity.memory * target.memory) / 100 - used.memory,
      disk: (capacity.disk * target.disk) / 100 - used.disk,
    };
  }
  return {
    room,
    admits(instance, host) {
      const [needs, left] = [model.needs(instance), room(host)];
      const fits = (need: number, free: number) => need === 0 || need <= free + tolerance;
      return fits(needs.vcpus, left.vcpus) && fits(needs.memory, left.memory) && fits(needs.disk, left.disk);
    },
  };
}
