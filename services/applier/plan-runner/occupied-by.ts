import type { ActionView } from '#libs/store';
import type { PlanRun } from './plan-run.ts';
import { withShared } from './plan-slots.ts';

/** What an action occupies; nothing when its type or parameters are unusable, as it will fail before it acts. */
export function occupiedBy(run: PlanRun, action: ActionView): string[] {
  try {
    run.deps.actions.validate(action.actionType, action.inputParameters);
    const names = run.deps.actions.get(action.actionType).occupies(action.inputParameters);
    return withShared(names, run.options.networks, run.aggregates);
  } catch {
    return [];
  }
}
