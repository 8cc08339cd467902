import type { Action, JsonObject } from '#libs/domain';
import { revertType } from './revert.ts';

type Effect = Pick<Action, 'actionType' | 'inputParameters'>;

/**
 * Effect of an action on hosts and instances. A `revert` is returned as the migration or service change that it causes.
 * Other actions are returned unchanged.
 */
export function effectOf({ actionType, inputParameters }: Effect): Effect {
  const undone = inputParameters.input_parameters;
  if (actionType !== revertType || typeof undone !== 'object' || undone === null || Array.isArray(undone)) {
    return { actionType, inputParameters };
  }
  const type = String(inputParameters.action_type);
  return { actionType: type, inputParameters: { ...undone, ...turned[type]?.(undone) } };
}

const turned: Readonly<Record<string, (input: JsonObject) => JsonObject>> = {
  migrate: ({ source_node, destination_node }) => ({
    source_node: destination_node ?? null,
    destination_node: source_node ?? null,
  }),
  change_nova_service_state: ({ state }) => ({ state: state === 'enabled' ? 'disabled' : 'enabled' }),
};
