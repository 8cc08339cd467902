import type { WhatIf } from '#libs/cluster-model';
import type { StrategyContext } from '#libs/plugin-kit';
import { migrationTypeOf } from '../shared/moves/actions.ts';
import { moveCost } from '../shared/moves/move-cost.ts';

/** Speed of a migration network of 10 Gbit/s, MiB/s. */
const bandwidth = 1000;
/** Weight of a second of a cold migration, which stops its instance. */
const downtimeFactor = 20;

/**
 * Cost of migrations relative to the aim: the number of moves, of at most two minutes each, that one point is worth.
 * 0: no cost.
 */
const movesPerPoint = { few_moves: 10, balanced: 40, best: 0 } as const;
export type Effort = keyof typeof movesPerPoint;
export const efforts = Object.keys(movesPerPoint) as Effort[];

const secondsPerMove = 120;
/** Fraction of a point that excludes moves without a gain. */
const leastPrice = 1e-3;

/**
 * Effort of a migration for network and user, in seconds of a 10 Gbit/s network. It is a weight among migrations, not
 * a duration. Cold migrations count as their downtime. `cpu`: load of instances in vcpus.
 */
export function moveEffort(model: WhatIf, cpu: Float64Array, instance: number): number {
  const { snapshot } = model;
  const size = snapshot.instances.vcpus[instance] as number;
  const percent = size > 0 ? ((cpu[instance] as number) / size) * 100 : 0;
  const seconds = moveCost(model, instance, percent) / bandwidth;
  return migrationTypeOf(snapshot, instance) === 'cold' ? seconds * downtimeFactor : seconds;
}

/** Price of a migration with this effort, in points of the aim. */
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
