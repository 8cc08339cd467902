import { describe, expect, it } from 'vitest';
import { coolDown } from '#libs/cluster-model';
import { silentLogger } from '#libs/domain';
import { executeStrategy, type MetricsReader, validateParameters } from '#libs/plugin-kit';
import { createTestWorld, movesOf, runStrategy, type TestWorld, testUuid } from '#libs/plugin-kit/testing';
import { vmWorkloadConsolidationStrategy } from './strategy.ts';

const period = 300;

/** Two hosts of 16 CPUs that are in use, so that neither is emptied. Instances of 4 vcpus. */
const busy: TestWorld = {
  hosts: ['a', 'b'].map((hostname) => ({ hostname, vcpusRatio: 4 })),
  instances: ['a', 'a', 'a', 'a', 'b', 'b'].map((host, row) => ({ name: `i${row}`, host, vcpus: 4 })),
};

/** An audit of a load in percent by row and by the number of periods before now. */
function auditOf(load: (row: number, ago: number) => number) {
  const rows = busy.instances?.length ?? 0;
  const metrics: MetricsReader = {
    hosts: async () => new Float64Array(2).fill(Number.NaN),
    instances: async (metric, { endsSecondsAgo = 0 }) =>
      Float64Array.from({ length: rows }, (_, row) =>
        metric === 'instance_cpu_usage' ? load(row, endsSecondsAgo / period) : Number.NaN,
      ),
  };
  const { manifest } = vmWorkloadConsolidationStrategy;
  return executeStrategy(vmWorkloadConsolidationStrategy as never, {
    ...{ snapshot: coolDown(createTestWorld(busy), []), metrics, seed: 1, nowMs: 0, log: silentLogger },
    parameters: validateParameters(manifest.parameters, { failure_reserve: 0 }),
    signal: new AbortController().signal,
  });
}

describe('relief of vm_workload_consolidation', () => {
  it('leaves a host alone that was hot for one sample', async () => {
    const { actions } = await auditOf((row, ago) => (row < 4 && ago === 0 ? 95 : 50));
    expect(actions).toEqual([]);
  });

  it('relieves a host whose heat has lasted, to the relief threshold and no further', async () => {
    const { actions } = await auditOf((row) => (row < 4 ? 95 : 30));
    expect(movesOf(actions)).toMatchObject([{ from: 'a', to: 'b' }]);
    expect(actions[0]?.reason.rule).toBe('relieve-overload');
  });

  it('leaves a host alone that is filled to the target, give or take the noise', async () => {
    const { actions } = await auditOf((row, ago) => (row < 4 ? 80 + (ago % 2 === 0 ? 2 : -2) : 60));
    expect(actions).toEqual([]);
  });
});

describe('emptying by vm_workload_consolidation', () => {
  const spread = (memory: number): TestWorld => ({
    hosts: ['a', 'b'].map((hostname) => ({ hostname, memory: 4_000_000 })),
    instances: ['a', 'b'].map((host, row) => ({ name: `i${row}`, host, memory })),
  });
  const run = (world: TestWorld, departures: Record<string, string> = {}) =>
    runStrategy(vmWorkloadConsolidationStrategy, {
      ...{ snapshot: createTestWorld(world), metrics: { instance_cpu_usage: 10 } },
      parameters: { failure_reserve: 0 },
      past: { departures },
    });

  it('moves no instance whose memory costs more than a day without its host is worth', async () => {
    const small = await run(spread(8192));
    const large = await run(spread(1_900_000));

    expect(movesOf(small.actions)).toHaveLength(1);
    expect(large.actions).toEqual([]);
    expect(large.report.blocked).toContainEqual({ constraint: 'price-of-migrations', count: 2, examples: ['a', 'b'] });
    expect(large.report.emptyBecause).toMatch(/emptying 2 hosts costs more than a day without it is worth/);
  });

  it('neither empties nor disables nor fills a host that a plan has enabled lately', async () => {
    const hosts = ['used', 'small', 'reserve', 'idle'].map((hostname, row) => ({ hostname, vcpus: 64 - row }));
    const instances = ['used', 'used', 'small'].map((host, row) => ({ name: `i${row}`, host }));
    const day = (woken: string[]) =>
      runStrategy(vmWorkloadConsolidationStrategy, {
        ...{ snapshot: createTestWorld({ hosts, instances }), metrics: { instance_cpu_usage: 10 } },
        ...{ parameters: { failure_reserve: 0 }, past: { woken } },
      });
    const disabled = (result: Awaited<ReturnType<typeof day>>) =>
      result.actions.flatMap(({ actionType, inputParameters: { resource_name: name } }) =>
        actionType === 'change_nova_service_state' ? name : [],
      );

    const spared = await day(['reserve']);
    expect(disabled(spared).sort()).toEqual(['idle', 'small']);
    expect(movesOf(spared.actions)).toMatchObject([{ from: 'small', to: 'used' }]);
    expect(spared.report.blocked).toContainEqual({ constraint: 'woken-lately', count: 1, examples: ['reserve'] });
    expect(disabled(await day([])).sort()).toEqual(['idle', 'reserve', 'small']);
    expect(disabled(await day(['small', 'reserve']))).toEqual(['idle']);
  });

  it('makes an instance dearer that was moved before', async () => {
    const moved = { [testUuid('i0')]: 'b', [testUuid('i1')]: 'a' };
    expect(movesOf((await run(spread(100_000))).actions)).toHaveLength(1);
    expect((await run(spread(100_000), moved)).actions).toEqual([]);
  });

  it('fills the hosts that are emptied last, also by a plan that its budget ends early', async () => {
    const hosts = ['small', 'large'].flatMap((size) =>
      [0, 1, 2].map((row) => ({ hostname: `${size}${row}`, vcpus: size === 'small' ? 16 : 64 })),
    );
    const instances = hosts.map(({ hostname }, row) => ({ name: `i${row}`, host: hostname }));
    const { actions } = await runStrategy(vmWorkloadConsolidationStrategy, {
      ...{ snapshot: createTestWorld({ hosts, instances }), metrics: { instance_cpu_usage: 10 } },
      parameters: { failure_reserve: 0, migration_budget: 2 },
    });
    expect(movesOf(actions).map(({ from, to }) => [from, to.slice(0, 5)])).toEqual([
      ['small0', 'large'],
      ['small1', 'large'],
    ]);
  });

  it('prefers to empty small hosts, so that the large ones take more', async () => {
    const world: TestWorld = {
      hosts: [
        { hostname: 'large', vcpus: 64 },
        { hostname: 'small', vcpus: 16 },
      ],
      instances: [
        { name: 'i0', host: 'large' },
        { name: 'i1', host: 'small', memory: 4096 },
      ],
    };
    expect(movesOf((await run(world)).actions)).toMatchObject([{ from: 'small', to: 'large' }]);
  });
});
