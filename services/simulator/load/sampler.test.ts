import { describe, expect, it } from 'vitest';
import { metricCatalogue, silentLogger } from '#libs/domain';
import type { Sample } from '#libs/history';
import { buildCloudState } from '../build-cloud-state.ts';
import { createSimulatedClock } from '../simulated-clock.ts';
import { createManualClock, smallWorld } from '../testing/simulation-fixture.ts';
import { backFillAges, createSampler } from './sampler.ts';

function fixture() {
  const clock = createManualClock();
  const { state } = buildCloudState(smallWorld([{ load: { kind: 'diurnal', base: 40, amplitude: 30, noise: 5 } }, {}]));
  const written: Sample[] = [];
  const writer = {
    write: async (samples: Sample[]) => void written.push(...samples),
    close: async () => undefined,
  };
  const simulatedClock = createSimulatedClock(clock, { speed: 60 });
  const sampler = createSampler(
    { state, writer, clock, simulatedClock, logger: silentLogger },
    { seed: 1, sampleSeconds: 5 },
  );
  return { clock, written, sampler };
}

describe('back-fill', () => {
  it('is even if there is room, otherwise denser towards the present', () => {
    const even = backFillAges({ windowSeconds: 60, stepSeconds: 5, perMoment: 10, sampleBudget: 1000 });
    expect(even[0]).toBe(60);
    expect(even.at(-1)).toBe(5);
    expect(even.length).toBe(12);
    const scarce = backFillAges({ windowSeconds: 3600, stepSeconds: 5, perMoment: 35_190, sampleBudget: 250_000 });
    expect(scarce.length).toBe(7);
    expect(scarce[0]).toBe(3600);
    expect(scarce.at(-1)).toBeLessThan(120);
    expect(scarce).toEqual([...scarce].sort((a, b) => b - a));
  });

  it('of a small cloud has as many moments as averages need, the last one a step before now', () => {
    const small = backFillAges({ windowSeconds: 3600, stepSeconds: 5, perMoment: 10, sampleBudget: 250_000 });
    expect(small.length).toBe(60);
    expect(small[0]).toBe(3600);
    expect(small.at(-1)).toBe(5);
  });

  it('writes nothing for an empty window', () => {
    expect(backFillAges({ windowSeconds: 0, stepSeconds: 5, perMoment: 1, sampleBudget: 10 })).toEqual([]);
  });

  it('uses wall-clock times of the window and the accelerated load', async () => {
    const { clock, written, sampler } = fixture();
    const count = await sampler.backFill(600);
    expect(written.length).toBe(count);
    const times = written.map((sample) => sample.at);
    expect(Math.min(...times)).toBe(clock.now() - 600_000);
    expect(Math.max(...times)).toBe(clock.now() - 5_000);
    // Ten minutes at 60 times the speed are ten hours, so the daily wave is visible.
    const cpu = written.filter((sample) => sample.metric === 'host_cpu_usage' && sample.resource === 'compute-1');
    const values = cpu.map((sample) => sample.value);
    expect(Math.max(...values) - Math.min(...values)).toBeGreaterThan(3);
  });
});

describe('sampling', () => {
  it('covers every host and instance with metrics of the catalogue, constants once a minute', async () => {
    const { clock, written, sampler } = fixture();
    await sampler.sampleNow();
    const metrics = new Set(written.map((sample) => sample.metric));
    for (const metric of metrics) expect(metricCatalogue).toHaveProperty(metric);
    expect(metrics).toContain('instance_ram_allocated');
    expect(new Set(written.filter((sample) => sample.metric === 'host_ram_usage').map((s) => s.resource)).size).toBe(3);
    expect(written.filter((sample) => sample.metric === 'instance_cpu_usage').length).toBe(2);
    written.length = 0;
    clock.move(5_000);
    await sampler.sampleNow();
    expect(written.some((sample) => sample.metric === 'instance_ram_allocated')).toBe(false);
  });
});
