/**
 * JSON Schema of the parameter `migration_budget` of strategies that stop by themselves. Not one of Watcher's, hence without a
 * default: parameters that Watcher fills in stay the same.
 */
export const migrationBudgetSchema = {
  description: 'Migrations in a plan at most; 0: no limit. Without it the configuration of the engine counts.',
  type: 'integer',
  minimum: 0,
} as const;

/** What to tell of a plan that its budget may have cut short; nothing when it has room for one more migration. */
export function budgetNotes(budget: number | undefined, migrations: number): string[] {
  if (!isSpent(budget, migrations)) return [];
  return [`the plan has all ${budget} migrations of its budget; what is left to do is left to the next audit`];
}

/** Whether one more migration is too much. */
export function isSpent(budget: number | undefined, migrations: number): boolean {
  return budget !== undefined && budget > 0 && migrations >= budget;
}
