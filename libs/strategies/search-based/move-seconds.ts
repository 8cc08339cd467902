import type { WhatIf } from '#libs/cluster-model';
import type { StrategyContext } from '#libs/plugin-kit';
import { migrationTypeOf } from '../shared/moves/actions.ts';
import { moveCost } from '../shared/moves/move-cost.ts';

/** Speed of a migration network of 10 Gbit/s, MiB/s. */
const bandwidth = 1000;
/** A cold migration stops its instance: a second of that counts as so many. */
const downtimeFactor = 20;

/**
 * Cost of migrations relative to the aim: a point is given for so many moves, each of two minutes at most; 0: they
 * cost nothing.
 */
const movesPerPoint = { few_moves: 10, balanced: 40, best: 0 } as const;
export type Effort = keyof typeof movesPerPoint;
export const efforts = Object.keys(movesPerPoint) as Effort[];

const secondsPerMove = 120;
/** So little of a point keeps moves out that gain nothing. */
const leastPrice = 1e-3;

/**
 * Effort of a migration for network and user, in seconds of a network of 10 Gbit/s: a weight among migrations, no
 * duration. Cold migrations count as their downtime. `cpu`: load of instances in vcpus.
 */
export function moveEffort(model: WhatIf, cpu: Float64Array, instance: number): number {
  const { snapshot } = model;
  const size = snapshot.instances.vcpus[instance] as number;
  const percent = size > 0 ? ((cpu[instance] as number) / size) * 100 : 0;
  const seconds = moveCost(model, instance, percent) / bandwidth;
  return migrationTypeOf(snapshot, instance) === 'cold' ? seconds * downtimeFactor : seconds;
}

/** Price of a migration of such an effort in points of the aim. */
export function movePrice(effort: Effort, seconds: number): number {
  const moves = movesPerPoint[effort];
  return moves === 0 ? leastPrice : Math.max(1, seconds / secondsPerMove) / moves;
}

/** Median seconds of the migration of an instance on this cloud. */
export function moveSeconds(
  { model: { snapshot }, migrationSeconds }: Pick<StrategyContext, 'model' | 'migrationSeconds'>,
  instance: number,
): number {
  return migrationSeconds(migrationTypeOf(snapshot, instance), snapshot.instances.memory[instance] as number);
}
