import type { SimulatedHost, SimulatedServer } from '../cloud/entities.ts';
import { instanceCpuPercent, instanceRamMb } from './load-model.ts';

/** CPU of the host's own services, percent of the host. */
export const hostOverheadCpuPercent = 1;
/** Memory of the host's own services, MiB. */
export const hostOverheadRamMb = 2048;

export interface HostLoad {
  /** Percent of the host, 0 to 100. */
  cpuPercent: number;
  /** KiB in use. */
  ramKib: number;
}

/** CPU of a server, percent of its vCPUs: 0 unless it is running. */
export function serverCpuPercent(server: SimulatedServer, second: number, seed: number): number {
  if (server.powerState !== 1) return 0;
  return instanceCpuPercent(server, second, seed);
}

/** Resident memory of a server, MiB; 0 when it is shut down. */
export function serverRamMb(server: SimulatedServer, second: number, seed: number): number {
  return server.powerState === 4 ? 0 : instanceRamMb(server, second, seed);
}

/**
 * Load of a host: CPU = overhead + sum of (instance CPU x its vCPUs) / CPUs of the host, at most 100. Memory =
 * overhead + sum of the instances' resident memory, at most the host's. The overhead is that of the recording, and 0
 * without a recording or a measurement.
 */
export function hostLoad(host: SimulatedHost, second: number, seed: number): HostLoad {
  let cpu = 0;
  const { recorded } = host;
  const overheadCpu = recorded === undefined ? hostOverheadCpuPercent : recorded.cpuPercent(second) || 0;
  let ramMb = recorded === undefined ? hostOverheadRamMb : recorded.ramMb(second) || 0;
  for (const server of host.servers) {
    cpu += serverCpuPercent(server, second, seed) * server.flavor.vcpus;
    ramMb += serverRamMb(server, second, seed);
  }
  return {
    cpuPercent: bounded(overheadCpu + cpu / (host.inventory.VCPU.total + host.inventory.PCPU.total), 100),
    ramKib: Math.round(bounded(ramMb, host.inventory.MEMORY_MB.total) * 1024),
  };
}

function bounded(value: number, most: number): number {
  return Math.min(most, Math.max(0, value));
}

/** Mean, population standard deviation, minimum and maximum CPU of the hosts that are up, percent. */
export function cpuSpread(hosts: Iterable<SimulatedHost>, second: number, seed: number) {
  const values: number[] = [];
  for (const host of hosts) if (host.alive && host.powered) values.push(hostLoad(host, second, seed).cpuPercent);
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length);
  return {
    hosts: values.length,
    mean,
    stddev: Math.sqrt(variance),
    min: Math.min(...values),
    max: Math.max(...values),
  };
}
