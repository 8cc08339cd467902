import type { Stack } from '../stack/stack.ts';
import { periodically } from './periodically.ts';
import type { HostSample, HostState } from './record.ts';

/** Period of the samples, in milliseconds. */
const everyMs = 1000;

/** Samples of the simulated cloud. */
export interface CloudSamples {
  samples: readonly HostSample[];
  stop(): Promise<void>;
}

/** Reads the state of all hosts from the simulator once a second, and its request log, which has an end. */
export function sampleCloud(stack: Stack): CloudSamples {
  const samples: HostSample[] = [];
  const stop = periodically(everyMs, async () => {
    const { hosts } = await stack.control<{ hosts: HostState[] }>('/state?migrations=false', null);
    samples.push({
      atMs: Date.now(),
      hosts: hosts.map(({ name, status, alive, servers, cpu_percent, used: { VCPU, MEMORY_MB } }) => ({
        ...{ name, status, alive, servers, cpu_percent },
        used: { VCPU, MEMORY_MB },
      })),
    });
    await stack.log.refresh();
  });
  return { samples, stop };
}
