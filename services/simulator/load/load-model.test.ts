import { describe, expect, it } from 'vitest';
import type { LoadProfile } from '#libs/world-file';
import { buildCloudState } from '../build-cloud-state.ts';
import { smallWorld } from '../testing/simulation-fixture.ts';
import { generateWorld } from '../world/generate-world.ts';
import { cpuSpread, hostLoad, hostOverheadCpuPercent, serverCpuPercent } from './host-load.ts';
import { completeProfile, instanceCpuPercent, instanceRamMb, type LoadSubject } from './load-model.ts';

function subject(load: LoadProfile, changes: Partial<LoadSubject> = {}): LoadSubject {
  const complete = completeProfile(load, 'some-uuid', 'some-project');
  return { load: complete, loadKey: 7, loadFactor: 1, flavor: { vcpus: 2, ramMb: 4096 }, ...changes };
}

const day = Array.from({ length: 288 }, (_, index) => index * 300);

describe('the load of an instance', () => {
  it('depends only on seed, instance and second', () => {
    const one = subject({ kind: 'bursty', base: 30 });
    const values = day.map((second) => instanceCpuPercent(one, second, 5));
    expect(day.map((second) => instanceCpuPercent(one, second, 5))).toEqual(values);
    expect(day.map((second) => instanceCpuPercent(one, second, 6))).not.toEqual(values);
    expect(day.map((second) => instanceCpuPercent({ ...one, loadKey: 8 }, second, 5))).not.toEqual(values);
  });

  it('stays within 0 and 100 for every profile', () => {
    const wild = subject({
      kind: 'bursty',
      base: 60,
      amplitude: 80,
      noise: 50,
      burst_probability: 0.5,
      burst_cpu: 100,
    });
    const values = day.map((second) => instanceCpuPercent(wild, second, 1));
    expect(Math.min(...values)).toBe(0);
    expect(Math.max(...values)).toBe(100);
  });

  it('follows the day: the maximum is a quarter of a day after phase zero', () => {
    const diurnal = subject({ kind: 'diurnal', base: 50, amplitude: 20, phase: 0, noise: 0 });
    expect(instanceCpuPercent(diurnal, 6 * 3600, 1)).toBeCloseTo(70, 6);
    expect(instanceCpuPercent(diurnal, 12 * 3600, 1)).toBeCloseTo(50, 6);
    expect(instanceCpuPercent(diurnal, 18 * 3600, 1)).toBeCloseTo(30, 6);
  });

  it('bursts in about as many half hours as the profile states', () => {
    const bursty = subject({ kind: 'bursty', base: 10, noise: 0, burst_probability: 0.25, burst_cpu: 30 });
    const halfHours = Array.from({ length: 2000 }, (_, index) => instanceCpuPercent(bursty, index * 1800 + 1, 3));
    const bursts = halfHours.filter((value) => value === 40).length;
    expect(bursts / 2000).toBeGreaterThan(0.21);
    expect(bursts / 2000).toBeLessThan(0.29);
  });

  it('is multiplied by a hint', () => {
    const steady = subject({ kind: 'steady', base: 10, noise: 0 }, { loadFactor: 3 });
    expect(instanceCpuPercent(steady, 100, 1)).toBeCloseTo(30, 9);
  });

  it('uses its share of the memory, within 5 %', () => {
    const one = subject({ kind: 'steady', base: 10, memory: 0.5 });
    for (const second of day) {
      const used = instanceRamMb(one, second, 1);
      expect(used).toBeGreaterThanOrEqual(2048 * 0.95);
      expect(used).toBeLessThanOrEqual(2048 * 1.05);
    }
  });
});

describe('the load of a host', () => {
  it('is the sum of instance CPU weighted by vCPUs, over the vCPUs of the host, plus its overhead', () => {
    const load: LoadProfile = { kind: 'steady', base: 40, noise: 0, memory: 0.5 };
    const { state } = buildCloudState(smallWorld([{ load }, { flavor: 'large', load }]));
    const [host] = [...state.hosts.values()];
    if (host === undefined) throw new Error('no host');
    expect(hostLoad(host, 0, 1).cpuPercent).toBeCloseTo(hostOverheadCpuPercent + (40 * 1 + 40 * 6) / 8, 9);
    for (const server of host.servers) server.loadFactor = 100;
    expect(hostLoad(host, 0, 1).cpuPercent).toBeLessThanOrEqual(100);
  });

  it('excludes stopped instances', () => {
    const load: LoadProfile = { kind: 'steady', base: 40, noise: 0 };
    const { state } = buildCloudState(smallWorld([{ load, state: 'stopped' }]));
    const [server] = [...state.servers.values()];
    if (server === undefined) throw new Error('no server');
    expect(serverCpuPercent(server, 0, 1)).toBe(0);
    expect(hostLoad(server.host, 0, 1).cpuPercent).toBe(hostOverheadCpuPercent);
  });

  it('has statistics over the hosts that are up', () => {
    const { state } = buildCloudState(generateWorld({ hosts: 6, instances: 40 }));
    const all = cpuSpread(state.hosts.values(), 0, 1);
    expect(all.hosts).toBe(6);
    expect(all.stddev).toBeGreaterThan(0);
    expect(all.min).toBeLessThanOrEqual(all.mean);
    const [first] = [...state.hosts.values()];
    if (first !== undefined) first.alive = false;
    expect(cpuSpread(state.hosts.values(), 0, 1).hosts).toBe(5);
  });
});
