import { missingSample, type RecordedLoad } from './recorded-load.ts';
import type { WorldFile } from './world-file.ts';

/**
 * Load of each host beside that of its recorded servers, a row for each host and a value for each step. May be < 0.
 * NaN where the load of the host was not measured, so that it is not known with other servers either.
 */
export interface HostOverheads {
  /** Percent of the host. */
  cpu: Float32Array;
  /** MiB. */
  memoryMb: Float32Array;
}

/**
 * The measured load of hosts less that of the servers on them: services, and servers that are in no recording. With
 * it, the load of a host follows when its servers change. A host that was off at the end of the recording had no
 * agent that measures: it is 0 where nothing was measured, so that its load is that of its servers once it is on.
 */
export function hostOverheads(world: WorldFile, { columns, steps, percentStep }: RecordedLoad): HostOverheads {
  const cpu = new Float32Array(world.hosts.length * steps);
  const memoryMb = new Float32Array(cpu.length);
  const hostRows = new Map(world.hosts.map(({ hostname }, row) => [hostname, row]));
  const flavors = new Map(world.flavors.map((flavor) => [flavor.name, flavor]));
  const add = (sums: Float32Array, hostRow: number, samples: Uint8Array, row: number, factor: number) => {
    for (let step = 0; step < steps; step += 1) {
      const sample = samples[row * steps + step] as number;
      if (sample !== missingSample) sums[hostRow * steps + step]! += sample * factor;
    }
  };
  for (const [row, { host, flavor }] of world.servers.entries()) {
    const [hostRow = 0, { vcpus = 0, ram_mb: ram = 0 } = {}] = [hostRows.get(host), flavors.get(flavor)];
    const { vcpus: cpus = 0, pcpus = 0 } = world.hosts[hostRow] ?? {};
    add(cpu, hostRow, columns.serverCpu, row, -(percentStep * vcpus) / Math.max(1, cpus + pcpus));
    add(memoryMb, hostRow, columns.serverMemory, row, -(percentStep * ram) / 100);
  }
  for (const [row, { memory_mb: memory }] of world.hosts.entries()) {
    add(cpu, row, columns.hostCpu, row, percentStep);
    add(memoryMb, row, columns.hostMemory, row, (percentStep * memory) / 100);
  }
  const off = new Set((world.baremetal_nodes ?? []).map((node) => (node.power_state === 'power off' ? node.host : '')));
  for (const [row, { hostname }] of world.hosts.entries()) {
    const unmeasured = off.has(hostname) ? 0 : Number.NaN;
    for (let at = row * steps; at < (row + 1) * steps; at += 1) {
      if (columns.hostCpu[at] === missingSample) cpu[at] = unmeasured;
      if (columns.hostMemory[at] === missingSample) memoryMb[at] = unmeasured;
    }
  }
  return { cpu, memoryMb };
}
