import type { JsonObject } from '#libs/domain';

/**
 * JSON Schema of the parameter `migration_budget` of strategies that stop by themselves. Not one of Watcher's, hence without a
 * default: parameters that Watcher fills in stay the same.
 */
export const migrationBudgetSchema: JsonObject = {
  description: 'Migrations in a plan at most; 0: no limit. Without it the configuration of the engine counts.',
  type: 'integer',
  minimum: 0,
};

/** Whether one more migration is too much. */
export function isSpent(budget: number | undefined, migrations: number): boolean {
  return budget !== undefined && budget > 0 && migrations >= budget;
}
