import { expect, it } from 'vitest';
import type { ComputeSnapshot } from '#libs/cluster-model';
import { createMetricsReader } from '#libs/plugin-kit';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { measuredCpuLoads } from './cpu-loads.ts';

const world = createTestWorld({
  hosts: [
    { hostname: 'a', vcpus: 10 },
    { hostname: 'b', vcpus: 10 },
  ],
  instances: [
    { name: 'busy', host: 'a', vcpus: 4 },
    { name: 'idle', host: 'a', vcpus: 2 },
    { name: 'off', host: 'b', vcpus: 8, state: 'stopped' },
  ],
});
const [busy, idle, off] = [0, 1, 2];
const window = { periodSeconds: 300, aggregate: 'mean' } as const;

/** A run that has read the given metrics of a history with these values. */
async function loadsAfter(values: Record<string, number>, read: ('hosts' | 'instances')[], snapshot: ComputeSnapshot) {
  const history = { aggregate: async () => new Map(Object.entries(values)) };
  const metrics = createMetricsReader({ history, snapshot });
  if (read.includes('hosts')) await metrics.reader.hosts('host_cpu_usage', window);
  if (read.includes('instances')) await metrics.reader.instances('instance_cpu_usage', window);
  return { loads: await measuredCpuLoads(metrics, snapshot), queries: metrics.uses().length };
}

const measured = { [testUuid('busy')]: 50, [testUuid('idle')]: 5, a: 31, b: 4 };

it('moves the load of an instance, and keeps the other load of the host', async () => {
  const { loads, queries } = await loadsAfter(measured, ['hosts', 'instances'], world);

  expect(queries).toBe(2);
  expect(loads?.ofHost(0, [busy, idle])).toBeCloseTo(31);
  expect(loads?.ofHost(0, [idle])).toBeCloseTo(11);
  expect(loads?.ofHost(1, [off, busy])).toBeCloseTo(24);
});

it('adds up the instances where the run has not read the load of hosts', async () => {
  const { loads } = await loadsAfter(measured, ['instances'], world);

  expect(loads?.ofHost(0, [busy, idle])).toBeCloseTo(21);
  expect(loads?.ofHost(1, [off])).toBe(0);
});

it('does not know a host with a running instance that was not measured', async () => {
  const { loads } = await loadsAfter({ [testUuid('busy')]: 50 }, ['instances'], world);

  expect(loads?.ofHost(0, [busy])).toBeCloseTo(20);
  expect(loads?.ofHost(0, [busy, idle])).toBeUndefined();
});

it('sends no query for a strategy that has not read the CPU usage of instances', async () => {
  expect(await loadsAfter(measured, ['hosts'], world)).toEqual({ loads: undefined, queries: 1 });
});
