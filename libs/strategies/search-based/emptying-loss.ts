import { totalCpus, type WhatIf } from '#libs/cluster-model';
import { horizonMinutes, minutesPerGib } from '../shared/moves/move-cost.ts';
import type { Step } from '../shared/moves/trial-moves.ts';

/** Memory that the moves transfer, MiB. */
export function movedMib({ snapshot }: WhatIf, moves: readonly Step[]): number {
  return moves.reduce((sum, { instance }) => sum + (snapshot.instances.memory[instance] as number), 0);
}

/**
 * Loss by emptied hosts, in host minutes: the memory to move, and the room that other instances could use. For hosts
 * of one size, the loss differs by the memory only.
 */
export interface EmptyingLoss {
  ofHost(host: number): number;
  ofPlan(plan: { freed: readonly number[]; moves: readonly Step[] }): number;
}

/** @param hosts occupied hosts. Their mean size is the unit of room */
export function createEmptyingLoss(model: WhatIf, hosts: readonly number[]): EmptyingLoss {
  const cpus = totalCpus(model.snapshot);
  const mean = hosts.reduce((sum, host) => sum + (cpus[host] as number), 0) / Math.max(1, hosts.length);
  const ofRoom = (host: number) => (mean > 0 ? ((cpus[host] as number) / mean) * horizonMinutes : 0);
  const ofMemory = (mib: number) => (mib / 1024) * minutesPerGib;
  return {
    ofHost: (host) => ofMemory(model.used(host).memory) + ofRoom(host),
    ofPlan: ({ freed, moves }) => ofMemory(movedMib(model, moves)) + freed.reduce((sum, host) => sum + ofRoom(host), 0),
  };
}
