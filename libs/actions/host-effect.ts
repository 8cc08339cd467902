import { type Action, movingActionTypes, powerActionTypes, serviceActionTypes } from '#libs/domain';
import { effectOf } from './effect-of.ts';

/** Effect of an action on hosts: an instance moves between hosts, or a compute service changes. */
export type HostEffect =
  | {
      kind: 'move';
      instance: string;
      from: string | null;
      /** Null when Nova chooses. */
      to: string | null;
    }
  | { kind: 'service'; hostname: string; enabled: boolean };

/** The effect of an action, or of its `revert`, on hosts. Null for actions without one. */
export function hostEffectOf(action: Pick<Action, 'actionType' | 'inputParameters'>): HostEffect | null {
  const { actionType, inputParameters } = effectOf(action);
  if (movingActionTypes.includes(actionType)) {
    const { resource_id, source_node, destination_node } = inputParameters;
    return { kind: 'move', instance: String(resource_id), from: nameOf(source_node), to: nameOf(destination_node) };
  }
  const hostname = nameOf(inputParameters.resource_name);
  if (!serviceActionTypes.includes(actionType) || hostname === null) return null;
  return { kind: 'service', hostname, enabled: inputParameters.state === 'enabled' };
}

/** Names of the hosts that actions use, free or switch, in order. Hosts chosen by Nova are unknown. */
export function hostsOfActions(actions: readonly Pick<Action, 'actionType' | 'inputParameters'>[]): string[] {
  const hosts = actions.flatMap((action) => {
    const { actionType, inputParameters } = effectOf(action);
    if (powerActionTypes.includes(actionType)) return nameOf(inputParameters.resource_name) ?? [];
    const effect = hostEffectOf(action);
    if (effect?.kind === 'service') return effect.hostname;
    return effect?.kind === 'move' ? [effect.from, effect.to].flatMap((host) => host ?? []) : [];
  });
  return [...new Set(hosts)].sort();
}

function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
