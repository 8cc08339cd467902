import type { ActionView } from '#libs/store';
import type { PlanRun } from './plan-run.ts';

/** What an action occupies; nothing when its type or parameters are unusable, as it will fail before it acts. */
export function occupiedBy(run: PlanRun, action: ActionView): string[] {
  try {
    run.deps.actions.validate(action.actionType, action.inputParameters);
    return run.deps.actions.get(action.actionType).occupies(action.inputParameters);
  } catch {
    return [];
  }
}
