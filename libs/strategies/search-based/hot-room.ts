import { totalCpus, type WhatIf } from '#libs/cluster-model';
import type { HotLimits } from './hot-limits.ts';
import type { Loads } from './loads.ts';

/** Loads of hosts compared to their hot limits, updated by moves. */
export interface HotRoom {
  /** Whether a host stays below its limits with the instance. */
  admits(instance: number, host: number): boolean;
  /** CPU load that a host may still receive, in vcpus. */
  freeCpu(host: number): number;
  moved(instance: number, from: number, to: number): void;
}

/** A load with a limit: use by instance, limit by host. */
export interface LimitedLoad {
  use: Float64Array;
  most: Float64Array;
}

/** Limits of use: CPU load, and memory when it is measured and has a limit. */
export function limitedLoads(
  { snapshot }: WhatIf,
  { cpu, memory }: Pick<Loads, 'cpu' | 'memory'>,
  limits: HotLimits,
): LimitedLoad[] {
  const within = (size: Float64Array, percent: number) => size.map((own) => (own * percent) / 100);
  const { memory: memoryLimit } = limits;
  return [
    { use: cpu, most: within(totalCpus(snapshot), limits.cpu) },
    ...(memory !== null && memoryLimit !== undefined
      ? [{ use: memory, most: within(snapshot.hosts.memory, memoryLimit) }]
      : []),
  ];
}

/** Creates it for the current model. */
export function createHotRoom(model: WhatIf, loads: Pick<Loads, 'cpu' | 'memory'>, limits: HotLimits): HotRoom {
  const limited = limitedLoads(model, loads, limits).map(({ use, most }) => {
    const load = new Float64Array(most.length);
    model.hostOf.forEach((host, row) => {
      if (host >= 0) load[host]! += use[row]!;
    });
    return { use, most, load };
  });
  const [cpu] = limited as [(typeof limited)[number]];
  return {
    freeCpu: (host) => cpu.most[host]! - cpu.load[host]!,
    admits: (instance, host) => limited.every(({ use, most, load }) => load[host]! + use[instance]! <= most[host]!),
    moved(instance, from, to) {
      for (const { use, load } of limited) {
        load[from]! -= use[instance]!;
        load[to]! += use[instance]!;
      }
    },
  };
}
