import { describe, expect, it } from 'vitest';
import { type JsonObject, servedPart } from '#libs/domain';
import type { StrategyPlugin } from '#libs/plugin-kit';
import { createTestWorld, movesOf, runStrategy } from '#libs/plugin-kit/testing';
import { strategyCatalogue } from '../catalogue.ts';

const snapshot = createTestWorld({
  hosts: ['a', 'b'].map((hostname) => ({ hostname, vcpusRatio: 4 })),
  instances: ['vm0', 'vm1', 'vm2', 'vm3'].map((name) => ({ name, host: 'a', vcpus: 4 })),
});
const strategies: [string, JsonObject][] = [
  ['balance_optimizer', {}],
  ['placement_optimizer', { preset: 'repair_only' }],
];

async function run(name: string, parameters: JsonObject, metrics: Record<string, number>) {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name) as StrategyPlugin;
  return await runStrategy(strategy, { snapshot, metrics, parameters: { ...parameters, time_limit: 1 } });
}

describe.each(strategies)('%s %j', (name, parameters) => {
  it('relieves a host whose instances wait for CPUs, and scores them', async () => {
    const { actions, report } = await run(name, parameters, { instance_cpu_usage: 75, instance_cpu_steal: 20 });

    expect(movesOf(actions)).toMatchObject([{ from: 'a', to: 'b' }]);
    expect(report.notes.join()).toContain(
      '4 instances get less than 95 % of the demanded processor time: vm0 on a 78.9 %, vm1 on a 78.9 %',
    );
  });

  it('leaves it alone when they do not wait', async () => {
    const { actions, report } = await run(name, parameters, { instance_cpu_usage: 75, instance_cpu_steal: 0 });

    expect(actions).toEqual([]);
    expect(report.notes.join()).not.toContain('demanded processor time');
  });

  it('says that the score is unknown where nothing measures it', async () => {
    const { report } = await run(name, parameters, { instance_cpu_usage: 75 });

    expect(report.notes.join()).toContain('that instances get is unknown: no source measures steal or ready time');
  });

  it('names hosts under pressure where nothing measures the waiting of instances', async () => {
    const { actions, report } = await run(name, parameters, { instance_cpu_usage: 75, host_cpu_pressure: 40 });

    expect(actions).toEqual([]);
    expect(report.notes.join()).toContain('which of them is unknown without steal or ready time');
  });
});

it.each([
  [94, 6, 0.94],
  [0, 0, 1],
  [50, Number.NaN, Number.NaN],
])('scores %d %% in use and %d %% waiting with %d', (used, waited, expected) => {
  expect(servedPart(used, waited)).toEqual(expected);
});
