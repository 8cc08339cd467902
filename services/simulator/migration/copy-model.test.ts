import { describe, expect, it } from 'vitest';
import type { SimulatedHost } from '../cloud/entities.ts';
import { createColdCopy, createLiveCopy, dirtyRateOf } from './copy-model.ts';
import { createTransferEngine } from './transfer-engine.ts';

function secondsAlone(input: Parameters<typeof createLiveCopy>[0], rate: number): { seconds: number; rounds: number } {
  const copy = createLiveCopy(input);
  let seconds = 0;
  while (!copy.done) {
    const step = copy.secondsLeft(rate);
    copy.advance(step, rate);
    seconds += step;
  }
  return { seconds, rounds: copy.round };
}

const idle = { memoryMib: 4000, diskMib: 0, dirtyMibPerSecond: 0, maxDowntimeSeconds: 0.5 };

describe('pre-copy', () => {
  it('of an idle guest takes memory over bandwidth', () => {
    expect(secondsAlone(idle, 1000)).toEqual({ seconds: 4, rounds: 1 });
  });

  it('of a writing guest repeats dirty pages until they fit into the downtime', () => {
    // Round 1: 4 s, 1,200 MiB dirtied. More than 500 MiB fit into the downtime. Round 2: 1.2 s and 80 % of 300 MiB/s.
    const busy = secondsAlone({ ...idle, dirtyMibPerSecond: 300 }, 1000);
    expect(busy.seconds).toBeCloseTo(5.2, 6);
    expect(busy.rounds).toBe(2);
  });

  it('ends even if the guest writes faster than the network, by throttling the guest', () => {
    const wild = secondsAlone({ ...idle, dirtyMibPerSecond: 5000 }, 1000);
    expect(wild.rounds).toBeGreaterThan(3);
    expect(wild.rounds).toBeLessThan(60);
    expect(Number.isFinite(wild.seconds)).toBe(true);
  });

  it('copies a local disk first', () => {
    expect(secondsAlone({ ...idle, diskMib: 6000 }, 1000).seconds).toBeCloseTo(10, 6);
  });

  it('derives the write rate from the busy vCPUs', () => {
    expect(dirtyRateOf(50, 4)).toBe(80);
    expect(dirtyRateOf(0, 4)).toBe(0);
  });
});

function host(name: string, migrationBandwidthMib = 1000): SimulatedHost {
  return { name, migrationBandwidthMib } as SimulatedHost;
}

function runAll(engine: ReturnType<typeof createTransferEngine>, most = Number.POSITIVE_INFINITY): number {
  let seconds = 0;
  while (engine.count > 0) {
    const step = Math.min(most, engine.secondsToNext());
    engine.advance(step);
    seconds += step;
  }
  return seconds;
}

describe('shared bandwidth', () => {
  it('two copies from one host take as long as both in sequence', () => {
    const engine = createTransferEngine();
    const done: string[] = [];
    engine.start(host('a'), host('b'), createColdCopy(1000), () => done.push('other pair'));
    const source = host('s');
    engine.start(source, host('c'), createColdCopy(1000), () => done.push('first'));
    engine.start(source, host('d'), createColdCopy(3000), () => done.push('second'));
    // 2 s at half rate each for the first 1,000, then 2 s alone.
    expect(runAll(engine)).toBeCloseTo(4, 6);
    expect(done).toEqual(['other pair', 'first', 'second']);
  });

  it('is independent of the step size', () => {
    const total = (most: number) => {
      const engine = createTransferEngine();
      const source = host('s');
      for (const mib of [500, 1200, 2500]) {
        engine.start(
          source,
          host(String(mib)),
          createLiveCopy({ ...idle, memoryMib: mib, dirtyMibPerSecond: 90 }),
          () => undefined,
        );
      }
      return runAll(engine, most);
    };
    expect(total(0.01)).toBeCloseTo(total(Number.POSITIVE_INFINITY), 3);
  });

  it('a stalled copy makes no progress and a cancelled one never ends', () => {
    let stuck = true;
    const engine = createTransferEngine({ stalled: (source) => stuck && source.name === 'stuck' });
    let done = 0;
    engine.start(host('stuck'), host('b'), createColdCopy(10), () => done++);
    expect(engine.secondsToNext()).toBe(Number.POSITIVE_INFINITY);
    const other = engine.start(host('a'), host('b'), createColdCopy(10), () => done++);
    other.cancel();
    engine.advance(100);
    expect(done).toBe(0);
    stuck = false;
    engine.refresh();
    runAll(engine);
    expect(done).toBe(1);
  });
});
