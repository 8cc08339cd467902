import {
  type ComputeSnapshot,
  conditionOf,
  type HostInfo,
  hostFlag,
  type InstanceInfo,
  type StorageVolumeInfo,
  type WhatIf,
} from '#libs/cluster-model';
import { type ActionReason, usualWay } from '#libs/domain';
import type { ProposedAction } from '#libs/plugin-kit';
import { upHosts } from '../hosts/rows.ts';

/** Default way for a movable instance to leave its host. */
export function migrationTypeOf(snapshot: ComputeSnapshot, instance: number): 'live' | 'cold' {
  return usualWay(conditionOf(snapshot, instance)) ?? 'live';
}

/** A `migrate` action. Without a destination Nova's scheduler chooses one. Hosts are service host names. */
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

/** An `evacuate` action. `fencedBy` names the authority that guarantees that the failed host runs nothing. */
export function evacuateAction(
  instance: InstanceInfo,
  { from, to, fencedBy }: { from: HostInfo; to: HostInfo; fencedBy: 'forced_down' | 'operator' },
  reason: ActionReason,
): ProposedAction {
  return {
    actionType: 'evacuate',
    inputParameters: {
      source_node: from.hostname,
      destination_node: to.hostname,
      fenced_by: fencedBy,
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

/**
 * The reason in Nova for hosts that a plan has freed: Watcher's text. Strategies recognize such hosts by it:
 * saving_energy powers them off, vm_workload_consolidation uses them again.
 */
export const freedReason = 'watcher_disabled';

/** Disabled hosts that an earlier consolidation freed and that can be enabled again, by row. */
export function earlierFreedHosts(model: WhatIf): number[] {
  const { hostInfo, hosts } = model.snapshot;
  return upHosts(model).filter(
    (host) =>
      hostInfo[host]?.disabledReason === freedReason && ((hosts.flags[host] as number) & hostFlag.enabled) === 0,
  );
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

/** Like `disableAction`, for a host that the same plan empties. Without its migrations the action is omitted. */
export function disableFreedAction(host: HostInfo, disabledReason: string, reason: ActionReason): ProposedAction {
  return { ...disableAction(host, disabledReason, reason), freesHost: host.hostname };
}

/** A `volume_migrate` action that moves a volume to a pool (`host@backend#pool`). */
export function migrateVolumeAction(volume: StorageVolumeInfo, pool: string, reason: ActionReason): ProposedAction {
  return {
    actionType: 'volume_migrate',
    inputParameters: {
      migration_type: 'migrate',
      destination_node: pool,
      resource_name: volume.name,
      resource_id: volume.uuid,
    },
    reason,
  };
}

/** A `volume_migrate` action that changes the type of a volume. Cinder moves the volume when the type requires it. */
export function retypeVolumeAction(volume: StorageVolumeInfo, type: string, reason: ActionReason): ProposedAction {
  return {
    actionType: 'volume_migrate',
    inputParameters: {
      migration_type: 'retype',
      destination_type: type,
      resource_name: volume.name,
      resource_id: volume.uuid,
    },
    reason,
  };
}

/** A `change_node_power_state` action. `node` is the uuid of the machine. The host is its display name. */
export function powerAction(node: string, host: HostInfo, state: 'on' | 'off', reason: ActionReason): ProposedAction {
  return {
    actionType: 'change_node_power_state',
    inputParameters: { state, resource_name: host.hostname, resource_id: node },
    reason,
  };
}
