import { type ComputeSnapshot, hostFlag } from '#libs/cluster-model';
import type { HostBeforeAfter, HostUse } from '#libs/messaging';
import type { PlannedAction } from '#libs/plugin-kit';

/**
 * Every host of the snapshot before and after the actions, by host name. Migrations and compute service states are followed;
 * an instance whose destination is left to Nova has left its host and is on none.
 */
export function predictHosts(snapshot: ComputeSnapshot, actions: readonly PlannedAction[]): HostBeforeAfter[] {
  const rowOf = new Map(snapshot.hostInfo.map(({ hostname }, row) => [hostname, row]));
  const instanceOf = new Map(snapshot.instanceInfo.map(({ uuid }, row) => [uuid, row]));
  const before = usesOf(snapshot);
  const after = before.map((use) => ({ ...use }));
  for (const { actionType, inputParameters } of actions) {
    const name = (field: string) => String(inputParameters[field] ?? '');
    if (actionType === 'migrate') {
      const instance = instanceOf.get(name('resource_id'));
      if (instance === undefined) continue;
      add(snapshot, instance, after[rowOf.get(name('source_node')) ?? -1], -1);
      add(snapshot, instance, after[rowOf.get(name('destination_node')) ?? -1], 1);
    }
    if (actionType === 'change_nova_service_state') {
      const host = after[rowOf.get(name('resource_name')) ?? -1];
      if (host) host.enabled = inputParameters.state === 'enabled';
    }
  }
  return snapshot.hostInfo
    .map(({ hostname }, row) => ({
      hostname,
      capacity: capacityOf(snapshot, row),
      before: before[row] as HostUse,
      after: after[row] as HostUse,
    }))
    .sort((a, b) => (a.hostname < b.hostname ? -1 : 1));
}

function usesOf({ hosts, hostInfo, instances }: ComputeSnapshot): HostUse[] {
  const counts = new Uint32Array(hostInfo.length);
  for (const host of instances.host) if (host >= 0) counts[host] = (counts[host] as number) + 1;
  return hostInfo.map((_, row) => ({
    vcpus: hosts.vcpusUsed[row] as number,
    memory: hosts.memoryUsed[row] as number,
    disk: hosts.diskUsed[row] as number,
    instances: counts[row] as number,
    enabled: ((hosts.flags[row] as number) & hostFlag.enabled) !== 0,
  }));
}

function add({ instances }: ComputeSnapshot, instance: number, use: HostUse | undefined, sign: 1 | -1): void {
  if (!use) return;
  use.vcpus += sign * (instances.vcpus[instance] as number);
  use.memory += sign * (instances.memory[instance] as number);
  use.disk += sign * (instances.disk[instance] as number);
  use.instances += sign;
}

function capacityOf({ hosts }: ComputeSnapshot, row: number): HostBeforeAfter['capacity'] {
  const capacity = (total: Float64Array, reserved: Float64Array, ratio: Float64Array) =>
    ((total[row] as number) - (reserved[row] as number)) * (ratio[row] as number);
  return {
    vcpus: capacity(hosts.vcpus, hosts.vcpusReserved, hosts.vcpusRatio),
    memory: capacity(hosts.memory, hosts.memoryReserved, hosts.memoryRatio),
    disk: capacity(hosts.disk, hosts.diskReserved, hosts.diskRatio),
  };
}
