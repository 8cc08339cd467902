import type { ComputeSnapshot, HostInfo, InstanceColumns, InstanceInfo } from '../compute-snapshot.ts';
import { instanceFlag, instanceStates } from '../compute-snapshot.ts';
import { cpuNeed } from '../instance-demands.ts';
import type { InstanceFacts } from './nova-event.ts';

/** Copies of all instance columns with the rows that `keep` lists, and −1 for an empty one. */
export function pickInstances(columns: InstanceColumns, rows: readonly number[]): InstanceColumns {
  const copy = {} as Record<string, unknown>;
  for (const [name, column] of Object.entries(columns) as [string, Float64Array | Uint8Array | Int32Array][]) {
    const buffer = new SharedArrayBuffer(rows.length * column.BYTES_PER_ELEMENT);
    const Column = column.constructor as new (memory: SharedArrayBuffer) => typeof column;
    const picked = new Column(buffer);
    for (const [to, from] of rows.entries()) picked[to] = from < 0 ? 0 : (column[from] as number);
    copy[name] = picked;
  }
  return copy as unknown as InstanceColumns;
}

/** Copy of a column on its own shared memory. */
export function copyColumn<Column extends Float64Array | Uint8Array>(column: Column): Column {
  const Type = column.constructor as new (memory: SharedArrayBuffer) => Column;
  const copy = new Type(new SharedArrayBuffer(column.byteLength));
  copy.set(column);
  return copy;
}

/** Writes the content of an event to an instance. Its group stays unchanged. */
export function writeInstance(columns: InstanceColumns, row: number, facts: InstanceFacts, host: number): void {
  const state = (instanceStates as readonly string[]).indexOf(facts.state);
  const unknown =
    instanceFlag.volumeBound |
    (facts.locked === null ? instanceFlag.locked : 0) |
    (facts.hasGuest === null ? instanceFlag.noGuest : 0);
  const kept = (columns.flags[row] as number) & unknown;
  columns.vcpus[row] = facts.vcpus;
  columns.memory[row] = facts.memory;
  columns.disk[row] = facts.disk;
  columns.state[row] = state < 0 ? instanceStates.indexOf('error') : state;
  columns.host[row] = host;
  columns.flags[row] =
    kept |
    (facts.locked ? instanceFlag.locked : 0) |
    (facts.hasGuest === false ? instanceFlag.noGuest : 0) |
    (facts.taskState === null ? 0 : instanceFlag.busy) |
    (facts.bootedFromVolume ? instanceFlag.bootedFromVolume : 0);
}

/** The use of hosts by instances: row of the host and amounts, negative for released resources. */
export interface UseChange {
  host: number;
  vcpus: number;
  dedicatedCpus: number;
  memory: number;
  disk: number;
}

/** The use of the host by the instance of a row, times `sign`. */
export function useOf({ instances, instanceInfo }: ComputeSnapshot, row: number, sign: 1 | -1): UseChange {
  const cpus = cpuNeed(instanceInfo[row] as InstanceInfo, instances.vcpus[row] as number);
  return {
    host: instances.host[row] as number,
    vcpus: sign * cpus.shared,
    dedicatedCpus: sign * cpus.dedicated,
    memory: sign * (instances.memory[row] as number),
    disk: sign * (instances.disk[row] as number),
  };
}

/** Hosts after the changes. The same objects when nothing changes. */
export function withUse(snapshot: ComputeSnapshot, changes: readonly UseChange[]): ComputeSnapshot {
  const { hosts } = snapshot;
  const real = changes.filter(({ host }) => host >= 0);
  const net = real.some(({ host: _host, ...amounts }) => Object.values(amounts).some((amount) => amount !== 0));
  if (!net) return snapshot;
  const copy = {
    ...hosts,
    vcpusUsed: copyColumn(hosts.vcpusUsed),
    memoryUsed: copyColumn(hosts.memoryUsed),
    diskUsed: copyColumn(hosts.diskUsed),
  };
  for (const { host, vcpus, memory, disk } of real) {
    copy.vcpusUsed[host] = Math.max(0, (copy.vcpusUsed[host] as number) + vcpus);
    copy.memoryUsed[host] = Math.max(0, (copy.memoryUsed[host] as number) + memory);
    copy.diskUsed[host] = Math.max(0, (copy.diskUsed[host] as number) + disk);
  }
  return { ...snapshot, hosts: copy, hostInfo: withDedicatedUse(snapshot.hostInfo, real) };
}

function withDedicatedUse(before: HostInfo[], changes: readonly UseChange[]): HostInfo[] {
  const pinned = changes.filter(({ dedicatedCpus }) => dedicatedCpus !== 0);
  if (pinned.length === 0) return before;
  const hostInfo = [...before];
  for (const { host, dedicatedCpus } of pinned) {
    const info = hostInfo[host];
    if (info?.dedicatedCpus === undefined) continue;
    const used = Math.max(0, info.dedicatedCpus.used + dedicatedCpus);
    hostInfo[host] = { ...info, dedicatedCpus: { ...info.dedicatedCpus, used } };
  }
  return hostInfo;
}
