import { createHash } from 'node:crypto';
import { type ComputeSnapshot, hostFlag } from './compute-snapshot.ts';

/** Flags of a host on which plans depend. The others change with measured load. */
const countedFlags = hostFlag.up | hostFlag.enabled | hostFlag.forcedDown;

/**
 * A digest of each host: its instances with their sizes, its CPUs and memory, and the state of its compute service.
 * Load and states of instances are left out: no plan becomes outdated by them. So is the size of the disk, which shared
 * storage reports with every change of its use.
 */
export function hostFingerprints(snapshot: ComputeSnapshot): Map<string, string> {
  const { hosts, hostInfo, instances, instanceInfo } = snapshot;
  const guests: string[][] = hostInfo.map(() => []);
  for (const [row, { uuid }] of instanceInfo.entries()) {
    const { vcpus, memory, disk, host } = instances;
    guests[host[row] as number]?.push(`${uuid} ${vcpus[row]} ${memory[row]} ${disk[row]}`);
  }
  const capacity = [
    hosts.vcpus,
    hosts.vcpusReserved,
    hosts.vcpusRatio,
    hosts.memory,
    hosts.memoryReserved,
    hosts.memoryRatio,
  ];
  return new Map(
    hostInfo.map(({ hostname }, row) => {
      const numbers = [...capacity.map((column) => column[row]), (hosts.flags[row] as number) & countedFlags];
      const text = [numbers.join(' '), ...(guests[row] ?? []).sort()].join('\n');
      return [hostname, createHash('sha1').update(text).digest('base64')];
    }),
  );
}
