import { serviceActionTypes } from '#libs/domain';
import type { ProposedAction } from '#libs/plugin-kit';

/** A value of an action's input parameters as text, undefined when it is absent. */
export function inputText(action: ProposedAction, key: string): string | undefined {
  const value = action.inputParameters[key];
  return typeof value === 'string' ? value : undefined;
}

/** Whether the action enables or disables a compute service. */
export function changesService({ actionType }: Pick<ProposedAction, 'actionType'>): boolean {
  return serviceActionTypes.includes(actionType);
}

/** Host name that a service state action acts on. */
export function serviceHost(action: ProposedAction): string {
  return inputText(action, 'resource_name') ?? inputText(action, 'resource_id') ?? '';
}

/** Whether the action switches a compute service to the given state; Watcher also says up and down. */
export function switchesTo(action: ProposedAction, state: 'enabled' | 'disabled'): boolean {
  return changesService(action) && inputText(action, 'state') === state;
}
