import type { WhatIf } from '#libs/cluster-model';
import { migrationTypeOf } from '../shared/moves/actions.ts';
import { moveCost } from '../shared/moves/move-cost.ts';

/** Speed of a migration network of 10 Gbit/s, MiB/s. */
const bandwidth = 1000;
/** A cold migration stops its instance: a second of that counts as so many. */
const downtimeFactor = 20;

/**
 * How dear migrations are against the aim: a point is given for so many moves, each of two minutes at most; 0: they
 * cost nothing.
 */
const movesPerPoint = { few_moves: 10, balanced: 40, best: 0 } as const;
export type Effort = keyof typeof movesPerPoint;
export const efforts = Object.keys(movesPerPoint) as Effort[];

const secondsPerMove = 120;
/** So little of a point keeps moves out that gain nothing. */
const leastPrice = 1e-3;

/** Seconds of a migration. Cold migrations count as their downtime for the user. `cpu`: load of instances in vcpus. */
export function moveSeconds(model: WhatIf, cpu: Float64Array, instance: number): number {
  const { snapshot } = model;
  const size = snapshot.instances.vcpus[instance] as number;
  const percent = size > 0 ? ((cpu[instance] as number) / size) * 100 : 0;
  const seconds = moveCost(model, instance, percent) / bandwidth;
  return migrationTypeOf(snapshot, instance) === 'cold' ? seconds * downtimeFactor : seconds;
}

/** Price of a migration in points of the aim. */
export function movePrice(effort: Effort, seconds: number): number {
  const moves = movesPerPoint[effort];
  return moves === 0 ? leastPrice : Math.max(1, seconds / secondsPerMove) / moves;
}
