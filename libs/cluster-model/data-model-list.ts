import type { JsonObject } from '#libs/domain';
import { type ComputeSnapshot, hostFlag, instanceFlag, instanceStates } from './compute-snapshot.ts';

/**
 * The snapshot as Watcher's `data_model` lists it: one flat object per instance, with its node's fields (`node_…`,
 * memory in MB, disk in GB) and its own (`server_…`). A node without instances has an object with the fields of the
 * node only. Nodes by uuid, then instances by uuid. Instances on no node are not listed.
 */
export function toDataModelList(snapshot: ComputeSnapshot): JsonObject[] {
  const instancesOf = groupByHost(snapshot);
  return rowsByUuid(snapshot.hostInfo).flatMap((host) => {
    const node = nodeFields(snapshot, host);
    const instances = instancesOf.get(host);
    return instances ? instances.map((instance) => ({ ...node, ...serverFields(snapshot, instance) })) : [node];
  });
}

function rowsByUuid(infos: readonly { uuid: string }[]): number[] {
  const uuid = (row: number) => infos[row]?.uuid ?? '';
  return infos.map((_, row) => row).sort((a, b) => (uuid(a) < uuid(b) ? -1 : 1));
}

function groupByHost({ instances, instanceInfo }: ComputeSnapshot): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const row of rowsByUuid(instanceInfo)) {
    const host = instances.host[row] as number;
    if (host < 0) continue;
    const group = groups.get(host);
    if (group) group.push(row);
    else groups.set(host, [row]);
  }
  return groups;
}

function nodeFields({ hosts, hostInfo }: ComputeSnapshot, row: number): JsonObject {
  const info = hostInfo[row] as ComputeSnapshot['hostInfo'][number];
  const flags = hosts.flags[row] as number;
  const number = (column: Float64Array) => column[row] as number;
  return {
    node_uuid: info.uuid,
    node_hostname: info.hostname,
    node_status: flags & hostFlag.enabled ? 'enabled' : 'disabled',
    node_disabled_reason: info.disabledReason,
    node_state: flags & hostFlag.up ? 'up' : 'down',
    node_memory: number(hosts.memory),
    node_memory_mb_reserved: number(hosts.memoryReserved),
    node_memory_ratio: number(hosts.memoryRatio),
    node_disk: number(hosts.disk),
    node_disk_gb_reserved: number(hosts.diskReserved),
    node_disk_ratio: number(hosts.diskRatio),
    node_vcpus: number(hosts.vcpus),
    node_vcpu_reserved: number(hosts.vcpusReserved),
    node_vcpu_ratio: number(hosts.vcpusRatio),
  };
}

function serverFields({ instances, instanceInfo }: ComputeSnapshot, row: number): JsonObject {
  const info = instanceInfo[row] as ComputeSnapshot['instanceInfo'][number];
  const flags = instances.flags[row] as number;
  return {
    server_uuid: info.uuid,
    server_watcher_exclude: (flags & instanceFlag.excluded) !== 0,
    server_name: info.name,
    server_state: instanceStates[instances.state[row] as number] ?? 'error',
    server_memory: instances.memory[row] as number,
    server_disk: instances.disk[row] as number,
    server_vcpus: instances.vcpus[row] as number,
    server_metadata: info.metadata,
    server_project_id: info.projectId,
    server_locked: (flags & instanceFlag.locked) !== 0,
    server_pinned_az: info.pinnedZone,
    server_flavor_extra_specs: info.flavorExtraSpecs,
  };
}
