import {
  type ComputeSnapshot,
  type HostInfo,
  hostFlag,
  type InstanceInfo,
  type StoragePoolInfo,
  type StorageSnapshot,
  type StorageVolumeInfo,
  type WhatIf,
} from '#libs/cluster-model';
import { InvalidInputError, nearestHint } from '#libs/domain';
import type { StrategyReport } from '#libs/plugin-kit';

/** The description of a host row. Throws RangeError when there is no such row. */
export function hostAt(snapshot: ComputeSnapshot, row: number): HostInfo {
  return rowOf(snapshot.hostInfo, row, 'host');
}

/** The description of an instance row. Throws RangeError when there is no such row. */
export function instanceAt(snapshot: ComputeSnapshot, row: number): InstanceInfo {
  return rowOf(snapshot.instanceInfo, row, 'instance');
}

function rowOf<Info>(infos: readonly Info[], row: number, what: string): Info {
  const info = infos[row];
  if (info === undefined) throw new RangeError(`no ${what} row ${row}`);
  return info;
}

/** Display name: the server's name, or its uuid without one. */
export function instanceLabel(instance: InstanceInfo): string {
  return instance.name === '' ? instance.uuid : instance.name;
}

/** Rounds numbers in sentences: at most `digits` decimals, without trailing zeros. */
export function shortNumber(value: number, digits = 1): string {
  return String(Number(value.toFixed(digits)));
}

/** The description of a volume row. Throws RangeError when there is no such row. */
export function volumeAt(snapshot: StorageSnapshot, row: number): StorageVolumeInfo {
  return rowOf(snapshot.volumes, row, 'volume');
}

/** The description of a pool row. Throws RangeError when there is no such row. */
export function poolAt(snapshot: StorageSnapshot, row: number): StoragePoolInfo {
  return rowOf(snapshot.pools, row, 'pool');
}

/** Display name: the volume's name, or its uuid without one. */
export function volumeLabel(volume: StorageVolumeInfo): string {
  return volume.name === '' ? volume.uuid : volume.name;
}

/** Rows of the hosts that are up and not forced down, whether they are enabled or not. */
export function upHosts({ snapshot }: WhatIf): number[] {
  return snapshot.hostInfo.flatMap((_, row) => {
    const flags = snapshot.hosts.flags[row] as number;
    return (flags & hostFlag.up) !== 0 && (flags & hostFlag.forcedDown) === 0 ? row : [];
  });
}

/** Rows of the hosts that accept instances: up, enabled and not forced down. */
export function acceptingHosts(model: WhatIf): number[] {
  return model.snapshot.hostInfo.flatMap((_, row) => (model.enabled[row] === 1 ? row : []));
}

const loadNames: Readonly<Record<string, string>> = {
  cpu_usage: 'CPU usage',
  ram_usage: 'memory usage',
  disk_io: 'disk I/O',
  network_io: 'network traffic',
  cpu_steal: 'CPU steal',
  cpu_pressure: 'CPU pressure',
};

/** A metric of hosts or instances in a sentence, without its owner: `host_cpu_usage` is `CPU usage`. */
export function loadName(metric: string): string {
  const name = metric.replace(/^(host|instance)_/, '');
  return loadNames[name] ?? name.replaceAll('_', ' ');
}

/**
 * Row of a host that a parameter names.
 * @throws InvalidInputError when the model does not have it, with the nearest name. The scope of the audit may exclude
 * the host.
 */
export function namedHost(model: WhatIf, parameter: string, hostname: string): number {
  const row = model.hostRow(hostname);
  if (row !== undefined) return row;
  const hint = nearestHint(
    hostname,
    model.snapshot.hostInfo.map((host) => host.hostname),
  );
  throw new InvalidInputError(parameter, `there is no compute node ${hostname} in the scope of the audit${hint}`);
}

/** The report of a strategy without checks: everything may be in its plan, and nothing is blocked. */
export function fixedReport(
  { hostInfo, instanceInfo }: Pick<ComputeSnapshot, 'hostInfo' | 'instanceInfo'>,
  { emptyBecause = null, notes = [] }: Partial<Pick<StrategyReport, 'emptyBecause' | 'notes'>> = {},
): StrategyReport {
  const [hosts, instances] = [hostInfo.length, instanceInfo.length];
  return {
    hosts: { considered: hosts, eligible: hosts },
    instances: { considered: instances, eligible: instances },
    blocked: [],
    emptyBecause,
    notes,
  };
}
