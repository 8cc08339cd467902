import type { WhatIf } from '#libs/cluster-model';
import type { JsonObject, MetricAggregate } from '#libs/domain';
import { migrationsOfSwap } from './swaps.ts';

/** Aggregates of the samples of a window: Watcher's, and percentiles. */
export const loadAggregates = ['mean', 'min', 'max', 'count', 'p50', 'p90', 'p95', 'p99'] satisfies MetricAggregate[];

/**
 * Schema of a parameter for the aggregate. `p95` is the value that 5 % of the samples exceed. Watcher does not have
 * it.
 */
export const aggregationMethodSchema = {
  'x-advanced': true,
  'x-texts': { de: { title: 'Aggregation der Messwerte' } },
  description: 'Aggregate of the samples of the window; 5 % of the samples exceed p95.',
  type: 'string',
  enum: loadAggregates.filter((aggregate) => aggregate !== 'count'),
} as const;

/**
 * JSON Schema of the parameter `migration_budget` of strategies that end without it. Watcher has no such parameter, so
 * it has no default: parameters that Watcher fills in stay the same.
 */
export const migrationBudgetSchema = {
  'x-texts': { de: { title: 'Migrationsbudget' } },
  description: 'Maximum migrations in a plan; 0: no limit. Default: the configuration of the engine.',
  type: 'integer',
  minimum: 0,
} as const;

/** Note on a plan that its budget may have limited. Empty when one more migration is allowed. */
export function budgetNotes(budget: number | undefined, migrations: number): string[] {
  if (!isSpent(budget, migrations)) return [];
  return [`the plan has all ${budget} migrations of its budget; the next audit continues`];
}

/** Maximum migrations of a budget. Infinite without one. */
export function mostMovesOf(budget: number | undefined): number {
  return budget !== undefined && budget > 0 ? budget : Number.POSITIVE_INFINITY;
}

/** Whether one more migration exceeds the budget. */
export function isSpent(budget: number | undefined, migrations: number): boolean {
  return budget !== undefined && budget > 0 && migrations >= budget;
}

/**
 * Returns moves within the budget. Each is half of an exchange or a single move. An exchange is made completely or not
 * at all. The caller makes each move in the model before it requests the next.
 */
export function* withinBudget<Move extends { instance: number; partner?: number }>(
  model: WhatIf,
  moves: Iterable<Move>,
  budget: number | undefined,
): Generator<Move> {
  let migrations = 0;
  let open: number | undefined;
  for (const move of moves) {
    const { instance, partner } = move;
    const isSecondHalf = partner !== undefined && partner === open;
    if (!isSecondHalf) {
      migrations += partner === undefined ? 1 : migrationsOfSwap(model, instance, partner);
      if (isSpent(budget, migrations - 1)) return;
    }
    open = isSecondHalf ? undefined : instance;
    yield move;
  }
}

/** Schema of the parameter `granularity`, in Watcher's words. */
export const granularitySchema = {
  'x-advanced': true,
  'x-texts': { de: { title: 'Abstand der Messwerte' } },
  description: 'The time between two measures in an aggregated timeseries of a metric.',
  'x-unit': 's',
  type: 'number',
  minimum: 0,
  default: 300,
} as const;

/**
 * Schema of a parameter that keeps hosts for the failure of others (N + 1). Default none. Watcher has no such
 * parameter.
 */
export const reserveHostsSchema = {
  'x-texts': { de: { title: 'Hosts in Reserve' } },
  description: 'Number of hosts that could be freed but stay available, in addition to the reserve of failure domains.',
  type: 'integer',
  minimum: 0,
} as const;

/**
 * Schema of a parameter of consolidators that empty hosts sequentially. Watcher has no such parameter, so it has no
 * default.
 */
export const hostOrderSchema = {
  'x-advanced': true,
  'x-texts': { de: { title: 'Reihenfolge der Hosts' } },
  description:
    'Choice of hosts: fewest_moves (default) searches for the most hosts with the fewest migrations. watcher ' +
    'tries hosts only in the order of Watcher.',
  type: 'string',
  enum: ['fewest_moves', 'watcher'],
} as const satisfies JsonObject;
