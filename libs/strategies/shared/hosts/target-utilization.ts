import type { WhatIf } from '#libs/cluster-model';

/** Name of the constraint in reports. */
export const targetConstraint = 'target-utilization';

/** Maximum use of a host in percent, by resource. `vcpus` and `memory` also limit measured use. */
export interface TargetUtilization {
  vcpus: number;
  memory: number;
  disk: number;
}

const percent = { 'x-unit': '%', type: 'number', minimum: 1, maximum: 100 } as const;

/**
 * Schema of the parameter `target_utilization`. Watcher has no such parameter, so it has no default. See `targetOf`.
 */
export const targetUtilizationSchema = {
  'x-texts': { de: { title: 'Zielauslastung' } },
  description:
    'Maximum percent to which consolidation fills a compute node: of its capacity by allocations, and of its ' +
    'physical CPUs and memory by measured use. Default: 80 each. 100 fills hosts completely, as Watcher does.',
  type: 'object',
  properties: { vcpus: percent, memory: percent, disk: percent },
  additionalProperties: false,
} as const;

/** The parameter with its defaults: 80 % of each. */
export function targetOf(given: Partial<TargetUtilization> | undefined): TargetUtilization {
  return { vcpus: 80, memory: 80, disk: 80, ...given };
}

type Room = ReturnType<WhatIf['free']>;

/** Tolerance for rounding, as in the model. */
export const tolerance = 1e-6;

/**
 * Allocations of a host compared to the target. Dedicated CPUs do not count: they are not shared, so full use is
 * harmless.
 */
export interface AllocationTarget {
  /** Whether the target equals the capacity, so that the model already checks it. */
  readonly isPacked: boolean;
  /** Amount that may still be allocated. Below 0 on a host above the target. */
  room(host: number): Room;
  admits(instance: number, host: number): boolean;
}

/** Creates it for the model, and follows its moves. Every call costs O(1). */
export function createAllocationTarget(model: WhatIf, target: TargetUtilization): AllocationTarget {
  /** Fraction of a host that stays free at the target. */
  const spare = model.snapshot.hostInfo.map((_, host): Room => {
    const { vcpus, memory, disk } = model.capacity(host);
    const left = (capacity: number, percentage: number) => (capacity * (100 - percentage)) / 100;
    return { vcpus: left(vcpus, target.vcpus), memory: left(memory, target.memory), disk: left(disk, target.disk) };
  });
  /** By instance. Filled on demand: an attempt of a search checks few instances. */
  const known: (Room | undefined)[] = new Array(model.hostOf.length);
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
      known[instance] ??= model.needs(instance);
      const { vcpus, memory, disk } = known[instance];
      const left = room(host);
      return fits(vcpus, left.vcpus) && fits(memory, left.memory) && fits(disk, left.disk);
    },
  };
}
