import { allocateHostColumns, allocateInstanceColumns } from './columns.ts';
import type { ComputeSnapshot, HostColumns, InstanceColumns } from './compute-snapshot.ts';

/** Copies the rows of `from` that `rows` lists into `to`, column by column. */
function copyRows<T extends HostColumns | InstanceColumns>(from: T, to: T, rows: number[]): void {
  for (const column of Object.keys(from) as (keyof T)[]) {
    const source = from[column] as Float64Array;
    const target = to[column] as Float64Array;
    rows.forEach((row, index) => {
      target[index] = source[row] as number;
    });
  }
}

/**
 * A new snapshot with the hosts whose entry in `keep` is true and the instances on them. Instances on no host stay.
 * Groups, aggregates and zones keep their rows.
 */
export function keepHosts(snapshot: ComputeSnapshot, keep: readonly boolean[]): ComputeSnapshot {
  const hostRows = snapshot.hostInfo.flatMap((_, row) => (keep[row] ? row : []));
  const newRow = new Int32Array(snapshot.hostInfo.length).fill(-1);
  hostRows.forEach((row, index) => {
    newRow[row] = index;
  });
  const hostOf = snapshot.instances.host;
  const instanceRows = snapshot.instanceInfo.flatMap((_, row) => {
    const host = hostOf[row] as number;
    return host < 0 || keep[host] ? row : [];
  });

  const hosts = allocateHostColumns(hostRows.length);
  copyRows(snapshot.hosts, hosts, hostRows);
  const instances = allocateInstanceColumns(instanceRows.length);
  copyRows(snapshot.instances, instances, instanceRows);
  instanceRows.forEach((row, index) => {
    const host = hostOf[row] as number;
    instances.host[index] = host < 0 ? -1 : (newRow[host] as number);
  });
  return {
    ...snapshot,
    hosts,
    hostInfo: hostRows.flatMap((row) => snapshot.hostInfo[row] ?? []),
    instances,
    instanceInfo: instanceRows.flatMap((row) => snapshot.instanceInfo[row] ?? []),
  };
}
