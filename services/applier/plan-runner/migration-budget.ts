import { revertType } from '#libs/actions';
import type { ActionView } from '#libs/store';
import type { PlanRun } from './plan-run.ts';

/** Counts the migrations that a plan has begun, for its own limit. */
export interface MigrationBudget {
  /** False when the action is a migration and the limit is reached; else it counts as begun. */
  take(action: ActionView): boolean;
  /** Takes back what `take` counted, when the action did not begin. */
  giveBack(row: ActionView): void;
}

/** What earlier runs of the plan have begun counts too. */
export function createMigrationBudget(run: PlanRun, rows: readonly ActionView[]): MigrationBudget {
  const most = run.plan.maxMigrations;
  let begun = rows.filter((row) => isMigration(row) && row.startedAt !== null).length;
  return {
    take(action) {
      if (most === null || !isMigration(action)) return true;
      if (begun >= most) return false;
      begun += 1;
      return true;
    },
    giveBack(row) {
      if (most !== null && isMigration(row) && row.startedAt === null) begun -= 1;
    },
  };
}

function isMigration(action: ActionView): boolean {
  const type = action.actionType === revertType ? action.inputParameters.action_type : action.actionType;
  return type === 'migrate';
}
