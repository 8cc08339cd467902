import { describe, expect, it } from 'vitest';
import { coolDown } from '#libs/cluster-model';
import { silentLogger } from '#libs/domain';
import { executeStrategy, type MetricsReader, type StrategyPlugin, validateParameters } from '#libs/plugin-kit';
import { createTestWorld, movesOf, runStrategy, type TestWorld } from '#libs/plugin-kit/testing';
import { balanceOptimizerStrategy } from './balance_optimizer/strategy.ts';
import { strategyCatalogue } from './catalogue.ts';

/** Host `a` with 15 busy instances of 1 vcpu on 16 CPUs, and two others with one instance each. */
function cloud(memory: number): TestWorld {
  return {
    hosts: ['a', 'b', 'c'].map((hostname) => ({ hostname, memory: 20_000_000 })),
    instances: [...Array.from({ length: 15 }, () => 'a'), 'b', 'c'].map((host, row) => ({
      ...{ name: `vm${row}`, host, memory },
    })),
  };
}

const cases: [string, object][] = [
  ['balance_optimizer', {}],
  ['workload_balance', { threshold: 80 }],
  ['workload_stabilization', {}],
];

async function planOf(name: string, parameters: object, memory: number) {
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name) as StrategyPlugin;
  return runStrategy(strategy, {
    snapshot: createTestWorld(cloud(memory)),
    metrics: { instance_cpu_usage: 100, host_cpu_usage: { a: 93.75, b: 6.25, c: 6.25 } },
    parameters: { ...parameters },
  });
}

describe.each(cases)('%s', (name, parameters) => {
  it('names the benefit and the price of each move, and of the plan, in host minutes', async () => {
    const { actions, report } = await planOf(name, parameters, 2048);
    expect(movesOf(actions).length).toBeGreaterThan(0);
    // 2 GiB, half of them again, and the overhead of 2 GiB: 5 GiB.
    for (const { reason } of actions)
      expect(reason.summary).toMatch(
        / It avoids [1-9]\d* host minutes near a limit within a day, at a price of 15 host minutes\.$/,
      );
    expect(report.notes.join('\n')).toMatch(
      new RegExp(`the plan avoids \\d+ host minutes .*, at a price of ${15 * actions.length} host minutes`),
    );
  });

  it('moves no instance that costs more than it avoids', async () => {
    const { actions, report } = await planOf(name, parameters, 1_000_000);
    expect(actions).toEqual([]);
    expect(report.blocked).toContainEqual(expect.objectContaining({ constraint: 'price-of-migrations' }));
  });
});

/** An audit by `balance_optimizer` of a host that is hot in so many of the 12 samples of an hour. */
async function auditOfHeat(hotSamples: number, memory: number) {
  const period = 300;
  const snapshot = createTestWorld(cloud(memory));
  const loads = (ago: number) => Float64Array.from(snapshot.instanceInfo, () => (ago < hotSamples ? 100 : 60));
  const metrics: MetricsReader = {
    hosts: async () => new Float64Array(snapshot.hostInfo.length).fill(Number.NaN),
    instances: async (metric, { endsSecondsAgo = 0 }) =>
      metric === 'instance_cpu_usage'
        ? loads(endsSecondsAgo / period)
        : new Float64Array(snapshot.instanceInfo.length).fill(Number.NaN),
  };
  return executeStrategy(balanceOptimizerStrategy as never, {
    ...{ snapshot: coolDown(snapshot, []), metrics, seed: 1, nowMs: 0, log: silentLogger },
    parameters: validateParameters(balanceOptimizerStrategy.manifest.parameters, {}),
    signal: new AbortController().signal,
  });
}

it('counts the minutes of a host that is hot at times by the part of its samples', async () => {
  const [always, atTimes] = [await auditOfHeat(12, 100_000), await auditOfHeat(3, 100_000)];
  // Each of three moves avoids a third of a day, or of a quarter of it. Each costs 445 minutes.
  expect(movesOf(always.actions)).toHaveLength(3);
  expect(always.report.notes.join()).toContain('avoids 1440 host minutes');
  expect(atTimes.actions).toEqual([]);
});
