import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DurationModel,
  type DurationSample,
  durationKind,
  estimatePlan,
  fitDurations,
  medianSeconds,
  nothingStarted,
  type ParallelLimits,
  secondsAt,
  shapeOf,
  type TimedAction,
} from './index.ts';

const sample = (seconds: number, size: number | null = 4096): DurationSample => ({ kind: 'live', seconds, size });
const action = (uuid: string, change: Partial<TimedAction> = {}): TimedAction => ({
  uuid,
  actionType: 'migrate',
  migrationType: 'live',
  size: 4096,
  duration: null,
  sourceHost: null,
  destinationHost: null,
  parents: [],
  ...change,
});
const modelsOf = (...samples: DurationSample[]): Map<string, DurationModel> =>
  new Map(['live', 'cold', 'sleep'].map((kind) => [kind, fitDurations(kind, kind === 'live' ? samples : [])]));
const wide: ParallelLimits = { workers: 8, source: 100, destination: 100, network: 100 };
const whole = (workers = 8) => ({ limits: { ...wide, workers }, progress: nothingStarted });
const anySample = fc
  .record({ seconds: fc.double({ min: 1, max: 3600, noNaN: true }), size: fc.integer({ min: 256, max: 262_144 }) })
  .map(({ seconds, size }) => sample(seconds, size));

describe('a model of durations', () => {
  test('is the default guess without samples', () => {
    expect(fitDurations('live', []).estimate(4096).median).toBeCloseTo(60);
    expect(fitDurations('nop', []).estimate(null).median).toBeCloseTo(1);
    expect(fitDurations('live', []).estimate(16_384).median).toBeGreaterThan(100);
  });

  test('follows the samples, and the size of the instance', () => {
    const sizes = [512, 1024, 2048, 4096, 8192, 16_384];
    const samples = Array.from({ length: 60 }, (_, at) => sizes[at % 6] as number).map((size) =>
      sample((size / 4096) * 8, size),
    );
    const model = fitDurations('live', samples);
    expect(model.estimate(4096).median).toBeGreaterThan(7);
    expect(model.estimate(4096).median).toBeLessThan(11);
    expect(model.estimate(16_384).median / model.estimate(1024).median).toBeGreaterThan(8);
    expect(model.samples).toBe(60);
    for (const size of sizes) expect(secondsAt(model.line, size)).toBeCloseTo(model.estimate(size).median);
  });

  test('of volumes follows their size at the measured speed', () => {
    const sizes = [10, 20, 50, 100, 200, 500];
    const samples = Array.from({ length: 120 }, (_, at) => sizes[at % 6] as number).map((size): DurationSample => {
      return { kind: 'volume', seconds: size / 0.2, size };
    });
    const model = fitDurations('volume', samples);
    for (const size of sizes) {
      expect(model.estimate(size).median).toBeGreaterThan((0.8 * size) / 0.2);
      expect(model.estimate(size).median).toBeLessThan((1.25 * size) / 0.2);
    }
  });

  test('changes smoothly: one sample moves an estimate by a part of its distance that shrinks with the number', () => {
    fc.assert(
      fc.property(
        fc.array(anySample, { maxLength: 60 }),
        fc.double({ min: 1, max: 3600, noNaN: true }),
        (known, next) => {
          const fixed = known.map(({ seconds }) => sample(seconds));
          const before = Math.log(fitDurations('live', fixed).estimate(4096).median);
          const after = Math.log(fitDurations('live', [...fixed, sample(next)]).estimate(4096).median);
          const distance = Math.abs(Math.log(next) - before);
          expect(Math.abs(after - before)).toBeLessThanOrEqual(distance / (known.length + 4) + 1e-9);
        },
      ),
    );
  });
});

describe('an estimate of a plan', () => {
  test('is a range around the samples, with its source', () => {
    const models = modelsOf(...Array.from({ length: 41 }, (_, at) => sample(8 + (at % 5))));
    const shape = shapeOf([action('a'), action('b', { parents: ['a'] })]);
    const { seconds, source } = estimatePlan(shape, models, whole());
    expect(seconds.low).toBeGreaterThan(12);
    expect(seconds.high).toBeLessThan(32);
    expect(seconds.low).toBeLessThan(20);
    expect(seconds.high).toBeGreaterThan(20);
    expect(source).toEqual({ measured: 41, guessed: [] });
    expect(estimatePlan(shapeOf([action('a', { migrationType: 'cold' })]), models, whole()).source).toEqual({
      measured: 0,
      guessed: ['cold'],
    });
  });

  test('depends on the graph and on the number of workers', () => {
    const four = ['a', 'b', 'c', 'd'];
    const sleeping = (parents: (at: number) => string[]) =>
      shapeOf(four.map((uuid, at) => action(uuid, { actionType: 'sleep', duration: 10, parents: parents(at) })));
    const length = (shape: ReturnType<typeof shapeOf>, workers: number) =>
      estimatePlan(shape, modelsOf(), whole(workers)).seconds;
    expect(
      length(
        sleeping(() => []),
        8,
      ),
    ).toEqual({ low: 10, high: 10 });
    expect(
      length(
        sleeping(() => []),
        2,
      ),
    ).toEqual({ low: 20, high: 20 });
    expect(
      length(
        sleeping(() => []),
        3,
      ),
    ).toEqual({ low: 20, high: 20 });
    const chain = sleeping((at) => (at === 0 ? [] : [four[at - 1] as string]));
    expect(length(chain, 8)).toEqual({ low: 40, high: 40 });
    expect(medianSeconds(chain, modelsOf())).toEqual([10, 10, 10, 10]);
  });

  test('keeps the limits of hosts and networks, and lets others pass', () => {
    const sleeping = (hosts: (at: number) => [source: string, destination: string], count = 12) =>
      Array.from({ length: count }, (_, at) => {
        const [sourceHost, destinationHost] = hosts(at);
        return action(`a${at}`, { actionType: 'sleep', duration: 10, sourceHost, destinationHost });
      });
    const length = (actions: TimedAction[], limits: Partial<ParallelLimits>, networks: string[] = []) =>
      estimatePlan(
        shapeOf(actions, () => networks),
        modelsOf(),
        {
          limits: { ...wide, workers: 64, ...limits },
          progress: nothingStarted,
        },
      ).seconds.high;
    const fromOne = sleeping((at) => ['full', `to${at}`]);
    expect(length(fromOne, { source: 2 })).toBe(60);
    expect(length(fromOne, { destination: 2 })).toBe(10);
    expect(
      length(
        sleeping((at) => [`from${at}`, 'empty']),
        { destination: 3 },
      ),
    ).toBe(40);
    expect(
      length(
        sleeping((at) => [`from${at}`, `to${at}`]),
        { network: 4 },
        ['row'],
      ),
    ).toBe(30);
    expect(
      length(
        sleeping((at) => [`from${at}`, `to${at}`]),
        { network: 4 },
      ),
    ).toBe(10);
    // The pairs of hosts have nothing in common, so their queues pass each other.
    expect(
      length(
        sleeping((at) => [`from${at % 4}`, `to${at % 3}`]),
        { source: 1, destination: 4 },
      ),
    ).toBe(30);
    const running = new Map([['a0', 4]]);
    const rest = { limits: { ...wide, source: 1 }, progress: { ended: new Set<string>(), runningSeconds: running } };
    expect(estimatePlan(shapeOf(fromOne), modelsOf(), rest).seconds.high).toBe(116);
  });

  test('of an untouched plan stays the same without new samples, and of an ended one is zero', () => {
    const actions = Array.from({ length: 30 }, (_, at) => action(`a${at}`, { parents: at > 8 ? [`a${at - 8}`] : [] }));
    const shape = shapeOf(actions);
    const models = modelsOf(sample(5), sample(9));
    expect(estimatePlan(shape, models, whole())).toEqual(
      estimatePlan(shapeOf(actions), modelsOf(sample(5), sample(9)), whole()),
    );
    const ended = new Set(actions.map(({ uuid }) => uuid));
    expect(
      estimatePlan(shape, models, { limits: wide, progress: { ended, runningSeconds: new Map() } }).seconds,
    ).toEqual({
      low: 0,
      high: 0,
    });
  });

  test('of the rest starts at that of the whole and shrinks with each action that ends', () => {
    const uuids = Array.from({ length: 12 }, (_, at) => `a${at}`);
    const shape = shapeOf(uuids.map((uuid, at) => action(uuid, { parents: at > 1 ? [uuids[at - 2] as string] : [] })));
    const models = modelsOf(...Array.from({ length: 20 }, () => sample(10)));
    const rest = (ended: number, running: Record<string, number> = {}) =>
      estimatePlan(shape, models, {
        limits: { ...wide, workers: 2 },
        progress: { ended: new Set(uuids.slice(0, ended)), runningSeconds: new Map(Object.entries(running)) },
      }).seconds;
    expect(rest(0)).toEqual(estimatePlan(shape, models, whole(2)).seconds);
    expect(rest(0, { a0: 0, a1: 0 })).toEqual(rest(0));
    const ranges = [0, 2, 4, 6, 8, 10, 12].map((ended) => rest(ended));
    for (const [at, { low, high }] of ranges.slice(1).entries()) {
      expect(low).toBeLessThan(ranges[at]!.low);
      expect(high).toBeLessThan(ranges[at]!.high);
    }
    expect(rest(2, { a2: 6, a3: 6 }).low).toBeLessThan(rest(2).low);
  });
});

test('a kind is the way of a migration, else the type of the action', () => {
  expect([
    durationKind('migrate', 'live'),
    durationKind('migrate', 'cold'),
    durationKind('evacuate', null),
    durationKind('volume_migrate', 'swap'),
    durationKind('nop', null),
  ]).toEqual(['live', 'cold', 'evacuate', 'volume', 'nop']);
});
