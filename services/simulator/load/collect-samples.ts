import type { Sample } from '#libs/history';
import type { CloudState } from '../cloud/entities.ts';
import { extraSamples } from './extra-metrics.ts';
import { hostLoad, serverCpuPercent, serverRamMb } from './host-load.ts';

/**
 * All samples of one moment. `second` is the simulated time that decides the values, `at` the wall-clock time they are
 * stored under. `withConstants` adds what never changes without a resize (allocated memory, root disk),
 * `withExtras` what sensors and cache counters tell.
 */
export function collectSamples(
  state: CloudState,
  moment: { second: number; at: number; seed: number; withConstants: boolean; withExtras: boolean },
): Sample[] {
  const { second, at, seed } = moment;
  const samples: Sample[] = [];
  for (const server of state.servers.values()) {
    const resource = server.uuid;
    samples.push({ metric: 'instance_cpu_usage', resource, value: serverCpuPercent(server, second, seed), at });
    samples.push({ metric: 'instance_ram_usage', resource, value: serverRamMb(server, second, seed), at });
    if (!moment.withConstants) continue;
    samples.push({ metric: 'instance_ram_allocated', resource, value: server.flavor.ramMb, at });
    samples.push({ metric: 'instance_root_disk_size', resource, value: server.flavor.diskGb, at });
  }
  for (const host of state.hosts.values()) {
    if (!host.alive || !host.powered) continue;
    const load = hostLoad(host, second, seed);
    const resource = host.name;
    samples.push({ metric: 'host_cpu_usage', resource, value: load.cpuPercent, at });
    samples.push({ metric: 'host_ram_usage', resource, value: load.ramKib, at });
    if (moment.withExtras) samples.push(...extraSamples(host, load.cpuPercent, moment));
  }
  return samples;
}
