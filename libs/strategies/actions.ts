import type { ComputeSnapshot, HostInfo, InstanceInfo } from '#libs/cluster-model';
import { instanceStates } from '#libs/cluster-model';
import type { ActionReason } from '#libs/domain';
import type { ProposedAction } from '#libs/plugin-kit';

/** Live for what runs or is paused, cold for what is stopped: what Nova accepts in each state. */
export function migrationTypeOf(snapshot: ComputeSnapshot, instance: number): 'live' | 'cold' {
  return instanceStates[snapshot.instances.state[instance] as number] === 'stopped' ? 'cold' : 'live';
}

/** A `migrate` action; without a destination Nova's scheduler chooses one. Hosts are service host names. */
export function migrateAction(
  instance: InstanceInfo,
  type: 'live' | 'cold',
  source: HostInfo,
  destination: HostInfo | null,
  reason: ActionReason,
): ProposedAction {
  return {
    actionType: 'migrate',
    inputParameters: {
      migration_type: type,
      source_node: source.hostname,
      ...(destination === null ? {} : { destination_node: destination.hostname }),
      resource_name: instance.name,
      resource_id: instance.uuid,
    },
    reason,
  };
}

/** A `change_nova_service_state` action that enables the compute service of a host. */
export function enableAction(host: HostInfo, reason: ActionReason): ProposedAction {
  return {
    actionType: 'change_nova_service_state',
    inputParameters: { state: 'enabled', resource_name: host.hostname, resource_id: host.uuid },
    reason,
  };
}

/** A `change_nova_service_state` action that disables the compute service of a host. */
export function disableAction(host: HostInfo, disabledReason: string, reason: ActionReason): ProposedAction {
  return {
    actionType: 'change_nova_service_state',
    inputParameters: {
      state: 'disabled',
      resource_name: host.hostname,
      disabled_reason: disabledReason,
      resource_id: host.uuid,
    },
    reason,
  };
}
