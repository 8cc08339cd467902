import { expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createHistory } from '#libs/history/connect';
import { readWorld } from '#libs/world-file';
import { createTestDatabase } from '#tests';
import { createSimulation } from '../create-simulation.ts';
import { countingUuids } from '../testing/simulation-fixture.ts';
import { hostLoad } from './host-load.ts';
import { createSampler } from './sampler.ts';

it('the history of the large world is written within its time limit, and can be read', async () => {
  const database = await createTestDatabase();
  const clock = { now: () => Date.now() };
  const history = createHistory({ databaseUrl: database.url, logger: silentLogger, clock });
  try {
    const world = await readWorld('azure2017-800');
    const { state, simulatedClock, seed } = createSimulation({ world, clock, newUuid: countingUuids() }, { speed: 1 });
    const sampler = createSampler(
      { state, writer: history, clock, simulatedClock, logger: silentLogger },
      { seed, sampleSeconds: 30 },
    );
    const before = performance.now();
    const samples = await sampler.backFill(3600);
    const seconds = (performance.now() - before) / 1000;
    expect(samples).toBeGreaterThan(200_000);
    expect(samples).toBeLessThanOrEqual(250_000);
    // Takes some seconds. Single writes would take ten minutes.
    expect(seconds).toBeLessThan(120);
    const cpu = await history.aggregate({ metric: 'host_cpu_usage', aggregate: 'mean', periodSeconds: 3600 });
    expect(cpu.size).toBe(800);
    const [host] = [...state.hosts.values()];
    if (host === undefined) throw new Error('no host');
    const now = hostLoad(host, simulatedClock.seconds(), seed).cpuPercent;
    expect(Math.abs((cpu.get(host.name) ?? 0) - now)).toBeLessThan(10);
  } finally {
    await history.close();
    await database.drop();
  }
});
