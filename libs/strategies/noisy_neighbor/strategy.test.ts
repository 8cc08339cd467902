import { describe, expect, it } from 'vitest';
import { executeStrategy, type StrategyPlugin, validateParameters } from '#libs/plugin-kit';
import {
  applyActions,
  createTestMetrics,
  createTestWorld,
  movesOf,
  type TestInstance,
  type TestWorld,
} from '#libs/plugin-kit/testing';
import { MetricsMissingError } from '../errors.ts';
import { noisyNeighborStrategy } from './strategy.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const host = (hostname: string) => ({ hostname, vcpus: 50, memory: 132, disk: 250 });

function instance(name: string, on: string, changes: Partial<TestInstance> & { priority?: string } = {}): TestInstance {
  const { priority, ...rest } = changes;
  const metadata: Record<string, string> = priority === undefined ? {} : { 'watcher-priority': priority };
  return { name, host: on, vcpus: 10, memory: 2, disk: 20, metadata, ...rest };
}

/** S7 of the reference; on Node_1 INSTANCE_3 matters most. */
function s7(noisy: Parameters<typeof instance>[2] = { priority: '9' }): TestWorld {
  return {
    hosts: [host('Node_0'), host('Node_1')],
    instances: [
      instance('X', 'Node_0'),
      instance('Y', 'Node_0'),
      instance('INSTANCE_3', 'Node_1', { priority: '1' }),
      instance('INSTANCE_4', 'Node_1', noisy),
    ],
  };
}

type Use = Record<string, number>;
const current: Use = { X: 35, Y: 30, INSTANCE_3: 40, INSTANCE_4: 35 };
const both: Use = { X: 34.5, Y: 30.5, INSTANCE_3: 60, INSTANCE_4: 22.5 };

/** The mean over the period of 100 s, and over twice that. */
async function run(world: TestWorld, last: Use = current, twice: Use = both, parameters = {}) {
  const snapshot = createTestWorld(world);
  const over = (use: Use) => createTestMetrics(snapshot, { instance_l3_cache_usage: use });
  return executeStrategy(noisyNeighborStrategy as StrategyPlugin, {
    snapshot,
    metrics: {
      hosts: () => Promise.reject(new Error('no host metric is needed')),
      instances: (metric, window) => over(window.periodSeconds === 100 ? last : twice).instances(metric, window),
    },
    parameters: validateParameters(noisyNeighborStrategy.manifest.parameters, parameters),
    seed: 1,
    nowMs: 0,
    signal: new AbortController().signal,
    log: silent,
  });
}

describe('noisy_neighbor', () => {
  it('S7: the noisy instance leaves the important one, by host names', async () => {
    const { actions, report } = await run(s7());
    expect(movesOf(actions)).toEqual([{ instance: 'INSTANCE_4', from: 'Node_1', to: 'Node_0' }]);
    expect(actions[0]?.reason.summary).toBe(
      'On Node_1 the L3 cache of INSTANCE_3 (priority 1) fell from 80 to 40 B while that of INSTANCE_4 (priority 9) ' +
        'rose from 10 to 35 B; INSTANCE_4 goes to Node_0.',
    );
    expect(report.notes[0]).toBe('1 hosts have a noisy neighbor');
    applyActions(createTestWorld(s7()), actions);
  });

  it.each<[string, Parameters<typeof instance>[2], string]>([
    ['is as important', { priority: '1' }, 'no important instance loses cache'],
    ['is excluded (Watcher moved it)', { priority: '9', excluded: true }, 'no important instance loses cache'],
    ['fits nowhere', { priority: '9', vcpus: 45 }, 'no other host takes any'],
  ])('stays when it %s', async (_, changes, because) => {
    const { actions, report } = await run(s7(changes));
    expect(actions).toEqual([]);
    expect(report.emptyBecause).toContain(because);
  });

  it('compares priorities as numbers, 5 without one: 10 comes after 9 and after none', async () => {
    expect((await run(s7({ priority: '10' }))).actions).toHaveLength(1);
    expect((await run(s7({}))).actions).toHaveLength(1);
    expect((await run(s7({ priority: 'high' }))).actions).toHaveLength(1);
  });

  it.each([
    ['a rise within the threshold', { ...current, INSTANCE_4: 25 }, { ...both, INSTANCE_4: 22.5 }],
    ['a fall within the threshold', { ...current, INSTANCE_3: 55 }, both],
    ['a victim without values', { X: 35, Y: 30, INSTANCE_4: 35 }, both],
  ])('%s is no reason', async (_, last, twice) => {
    expect((await run(s7(), last, twice)).actions).toEqual([]);
  });

  it('treats every host with a pair, the most important victim first, and sends each to a host of its own', async () => {
    const pair = (on: string, priority: string) => [
      instance(`${on}-victim`, on, { priority }),
      instance(`${on}-noisy`, on, { priority: '8' }),
    ];
    const world = {
      hosts: ['a', 'b', 'c', 'd'].map(host),
      instances: [...pair('a', '3'), ...pair('b', '2'), instance('c-1', 'c')],
    };
    const last: Use = { 'a-victim': 10, 'a-noisy': 90, 'b-victim': 10, 'b-noisy': 90, 'c-1': 50 };
    const twice: Use = { 'a-victim': 50, 'a-noisy': 50, 'b-victim': 50, 'b-noisy': 50, 'c-1': 50 };
    expect(movesOf((await run(world, last, twice)).actions)).toEqual([
      { instance: 'b-noisy', from: 'b', to: 'd' },
      { instance: 'a-noisy', from: 'a', to: 'c' },
    ]);
  });

  it('S4 does nothing, and no value at all is a failure', async () => {
    expect((await run({ hosts: [host('a')] })).actions).toEqual([]);
    await expect(run(s7(), {}, {})).rejects.toThrow(MetricsMissingError);
  });
});
