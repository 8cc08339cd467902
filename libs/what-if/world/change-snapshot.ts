import {
  allocateHostColumns,
  allocateInstanceColumns,
  type ComputeSnapshot,
  type HostColumns,
  hostFlag,
  type InstanceColumns,
  type InstanceInfo,
} from '#libs/cluster-model';

/** Copies columns into longer ones. */
function extend<Columns extends HostColumns | InstanceColumns>(from: Columns, to: Columns): Columns {
  for (const column of Object.keys(from) as (keyof Columns)[])
    (to[column] as Float64Array).set(from[column] as Float64Array);
  return to;
}

/** A new instance and the amounts that its flavor names. */
export interface NewInstance {
  info: InstanceInfo;
  vcpus: number;
  /** MiB. */
  memory: number;
  /** GiB of the host's own disk. */
  disk: number;
}

/** The snapshot with further instances on no host. They have the last rows, in the order of the list. */
export function withInstances(snapshot: ComputeSnapshot, added: readonly NewInstance[]): ComputeSnapshot {
  const first = snapshot.instanceInfo.length;
  const instances = extend(snapshot.instances, allocateInstanceColumns(first + added.length));
  instances.host.fill(-1, first);
  instances.group.fill(-1, first);
  for (const [index, { vcpus, memory, disk }] of added.entries()) {
    instances.vcpus[first + index] = vcpus;
    instances.memory[first + index] = memory;
    instances.disk[first + index] = disk;
  }
  return { ...snapshot, instances, instanceInfo: [...snapshot.instanceInfo, ...added.map(({ info }) => info)] };
}

/**
 * The hosts of the snapshot as they are used, with only these instances, which are on no host and in no group. It
 * costs little in large clouds, and judges boots of instances without a group as the whole snapshot does.
 */
export function onlyInstances(snapshot: ComputeSnapshot, chosen: readonly NewInstance[]): ComputeSnapshot {
  const { rules: _rules, ...rest } = snapshot;
  return withInstances({ ...rest, instances: allocateInstanceColumns(0), instanceInfo: [] }, chosen);
}

/** The snapshot with `count` empty hosts that equal one, up and enabled. They have the last rows. */
export function withHosts(snapshot: ComputeSnapshot, like: number, count: number): ComputeSnapshot {
  const first = snapshot.hostInfo.length;
  const hosts = extend(snapshot.hosts, allocateHostColumns(first + count));
  const { hostname, dedicatedCpus, ...rest } = snapshot.hostInfo[like] as ComputeSnapshot['hostInfo'][number];
  const taken = new Set(snapshot.hostInfo.map((host) => host.hostname));
  const hostInfo = [...snapshot.hostInfo];
  for (let row = first, number = 1; row < first + count; row++, number++) {
    for (const column of Object.keys(hosts) as (keyof HostColumns)[])
      hosts[column][row] = snapshot.hosts[column][like] as number;
    for (const column of ['vcpusUsed', 'memoryUsed', 'diskUsed'] as const) hosts[column][row] = 0;
    hosts.flags[row] = hostFlag.up | hostFlag.enabled;
    while (taken.has(`${hostname}+${number}`)) number++;
    const name = `${hostname}+${number}`;
    hostInfo.push({
      ...rest,
      uuid: name,
      hostname: name,
      disabledReason: null,
      ...(dedicatedCpus === undefined ? {} : { dedicatedCpus: { ...dedicatedCpus, used: 0 } }),
    });
  }
  return { ...snapshot, hosts, hostInfo };
}

/** Allocation ratios by resource. Absent ones stay. */
export interface Ratios {
  cpu?: number;
  memory?: number;
  disk?: number;
}

/** The snapshot with other allocation ratios on some hosts. */
export function withRatios(snapshot: ComputeSnapshot, rows: readonly number[], ratios: Ratios): ComputeSnapshot {
  const { vcpusRatio, memoryRatio, diskRatio } = snapshot.hosts;
  const changed = (column: Float64Array, ratio: number | undefined) => {
    const copy = column.slice();
    if (ratio !== undefined) for (const row of rows) copy[row] = ratio;
    return copy;
  };
  const hosts = {
    ...snapshot.hosts,
    vcpusRatio: changed(vcpusRatio, ratios.cpu),
    memoryRatio: changed(memoryRatio, ratios.memory),
    diskRatio: changed(diskRatio, ratios.disk),
  };
  return { ...snapshot, hosts };
}
