import { describe, expect, it } from 'vitest';
import { buildCloudState } from '../build-cloud-state.ts';
import { smallWorld } from '../testing/simulation-fixture.ts';
import { hostCacheUse, hostContention, hostSensors } from './extra-metrics.ts';
import { collectSamples } from './sampler.ts';

const busy = (base: number) => ({ load: { kind: 'steady' as const, base, noise: 0 }, flavor: 'large' });

function hostOf(...bases: number[]) {
  const { state } = buildCloudState(smallWorld(bases.map(busy)));
  const [host] = [...state.hosts.values()];
  if (host === undefined) throw new Error('no host');
  return { state, host, servers: [...host.servers] };
}

describe('sensors of a host', () => {
  it.each([
    [0, 120, 200, 31, 35],
    [50, 260, 325, 34, 38.1],
    [100, 400, 450, 35.6, 40],
  ])('at %i %% CPU', (cpu, power, airflow, coolest, hottest) => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const sensors = hostSensors(name, cpu, 1);
      expect(sensors).toMatchObject({ power, airflow });
      expect(sensors.outletTemp).toBeGreaterThanOrEqual(coolest - 0.5);
      expect(sensors.outletTemp).toBeLessThanOrEqual(hottest);
    }
  });

  it('depend on the seed and name alone', () => {
    expect(hostSensors('a', 10, 1)).toEqual(hostSensors('a', 10, 1));
    expect(hostSensors('a', 10, 1).inletTemp).not.toBe(hostSensors('b', 10, 1).inletTemp);
    expect(hostSensors('a', 10, 1).inletTemp).not.toBe(hostSensors('a', 10, 2).inletTemp);
  });
});

describe('the L3 cache of a host', () => {
  it('is shared: a server with a growing demand takes cache from the others', () => {
    const { host, servers } = hostOf(40, 40);
    const [quiet, noisy] = servers.map(({ uuid }) => uuid) as [string, string];
    const before = hostCacheUse(host, 0, 1);
    if (servers[1]) servers[1].loadFactor = 2.5;
    const after = hostCacheUse(host, 0, 1);
    const sum = [...after.values()].reduce((total, value) => total + value, 0);
    expect(sum).toBeLessThanOrEqual(8 * 1024 * 1024 + 1);
    expect(after.get(noisy)).toBeGreaterThan(before.get(noisy) as number);
    expect(after.get(quiet)).toBeLessThan(before.get(quiet) as number);
  });
});

describe('waiting for the CPUs of a host', () => {
  it('starts when demand exceeds the CPUs, and each server waits for its share', () => {
    const { host, servers } = hostOf(40, 40);
    expect(hostContention(host, 0, 1).pressure).toBe(0);
    for (const server of servers) server.loadFactor = 2.5;
    host.inventory.VCPU.total /= 2;
    const { pressure, servers: shares } = hostContention(host, 0, 1);
    expect(pressure).toBeGreaterThan(0);
    for (const { uuid } of servers) expect(shares.get(uuid)?.steal).toBeGreaterThan(0);
  });
});

it('is sampled only when requested', () => {
  const { state } = hostOf(10);
  const metrics = (withExtras: boolean) =>
    new Set(
      collectSamples(state, { second: 0, at: 0, seed: 1, withConstants: false, withExtras }).map((s) => s.metric),
    );
  expect(metrics(false).size).toBe(4);
  expect([...metrics(true)].filter((metric) => !metrics(false).has(metric)).sort()).toEqual([
    'host_airflow',
    'host_cpu_pressure',
    'host_disk_io',
    'host_inlet_temp',
    'host_network_io',
    'host_outlet_temp',
    'host_power',
    'instance_cpu_steal',
    'instance_disk_io',
    'instance_l3_cache_usage',
    'instance_network_io',
  ]);
});
