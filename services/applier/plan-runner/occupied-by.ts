import type { ActionView } from '#libs/store';
import { namesOf } from './ask-plugin.ts';
import type { PlanRun } from './plan-run.ts';
import { withShared } from './plan-slots.ts';

/** What an action occupies; nothing when its type, parameters or plugin are unusable, as it will fail before it acts. */
export function occupiedBy(run: PlanRun, action: ActionView): string[] {
  try {
    run.deps.actions.validate(action.actionType, action.inputParameters);
    return withShared(namesOf(run, action), run.options.networks, run.aggregates);
  } catch {
    return [];
  }
}
