import type { WhatIf } from '#libs/cluster-model';

/**
 * Remembers sizes without room on any host, so that equal instances need not check every host again. Valid while hosts
 * only fill up. `load` is an additional demand besides both kinds of CPUs, memory and disk. 0 without one.
 */
export interface HopelessSizes {
  /** Whether an instance of this size, with at most the same load, already found no room. */
  has(instance: number, load?: number): boolean;
  add(instance: number, load?: number): void;
  forget(): void;
}

/** Constraints that depend on nothing but size. */
const sizeConstraints = new Set(['vcpu', 'memory', 'disk', 'host-down', 'host-disabled', 'same-host']);

/** Whether a refusal applies to every instance of the size. */
export function dependsOnSizeOnly(constraint: string): boolean {
  return sizeConstraints.has(constraint);
}

/** Creates an empty memory. Creation costs O(instances), every check O(1). */
export function createHopelessSizes(model: WhatIf): HopelessSizes {
  const classes = new Map<string, number>();
  const classOf = Int32Array.from(model.hostOf, (_, row) => {
    const size = Object.values(model.needs(row)).join('/');
    const known = classes.get(size);
    if (known !== undefined) return known;
    classes.set(size, classes.size);
    return classes.size - 1;
  });
  const least = new Float64Array(classes.size).fill(Number.POSITIVE_INFINITY);
  return {
    has: (instance, load = 0) => load >= (least[classOf[instance] as number] as number),
    add(instance, load = 0) {
      const size = classOf[instance] as number;
      least[size] = Math.min(load, least[size] as number);
    },
    forget: () => void least.fill(Number.POSITIVE_INFINITY),
  };
}
