import { type Action, movingActionTypes } from '#libs/domain';
import { effectOf } from './effect-of.ts';

/** Effect of an action on hosts: an instance leaves one for another, or a compute service changes. */
export type HostEffect =
  | {
      kind: 'move';
      instance: string;
      from: string | null;
      /** Null where Nova chooses. */
      to: string | null;
    }
  | { kind: 'service'; hostname: string; enabled: boolean };

/** The effect of an action, or of its `revert`, on hosts. Null for actions that have none. */
export function hostEffectOf(action: Pick<Action, 'actionType' | 'inputParameters'>): HostEffect | null {
  const { actionType, inputParameters } = effectOf(action);
  if (movingActionTypes.includes(actionType)) {
    const { resource_id, source_node, destination_node } = inputParameters;
    return { kind: 'move', instance: String(resource_id), from: nameOf(source_node), to: nameOf(destination_node) };
  }
  const hostname = nameOf(inputParameters.resource_name);
  if (actionType !== 'change_nova_service_state' || hostname === null) return null;
  return { kind: 'service', hostname, enabled: inputParameters.state === 'enabled' };
}

function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
