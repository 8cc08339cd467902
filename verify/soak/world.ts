import { type HostRoom, soakSampleSeconds } from './judges/cloud-truth.ts';

/** Availability zones. Hosts belong to them in turn. */
export const soakZones = 2;
const hosts = 24;
const instances = 260;
const hostVcpus = 32;
const ratio = 4;
/** Of a generated world, for each vCPU of a host. Reserved for each host. */
const memoryMbPerVcpu = 4096;
const reservedMemoryMb = 512;

/** How many times faster than real time the simulated cloud is: a day in 72 minutes. */
export const soakSpeed = 20;

/** Room of each host as Nova counts it. */
export const soakRoom: HostRoom = {
  vcpus: hostVcpus * ratio,
  memoryMb: hostVcpus * memoryMbPerVcpu - reservedMemoryMb,
};

/** Arguments of the simulator. */
export function soakWorld(seed: number): string[] {
  const world = { hosts, instances, hostVcpus, cpuAllocationRatio: ratio, skew: 1, zones: soakZones, seed };
  const generate = Object.entries(world).map(([name, value]) => `${name}=${value}`);
  return [
    ...['--generate', generate.join(',')],
    ...['--seed', String(seed)],
    ...['--speed', String(soakSpeed)],
    ...['--sample-seconds', String(soakSampleSeconds), '--backfill-minutes', '10'],
  ];
}
