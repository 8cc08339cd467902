import { describe, expect, it } from 'vitest';
import { createTestWorld, runStrategy } from './testing/index.ts';
import { createStrategyWork, stopSignal } from './work.ts';

describe('work of a search', () => {
  it('ends when it is done, and says so', () => {
    const work = createStrategyWork({ total: 10 });

    expect([work.spend(4), work.endedBy(), work.spend(6), work.endedBy()]).toEqual([true, null, false, 'work']);
    expect(work.spent).toBe(10);
  });

  it.each([
    ['clock', stopSignal.clock],
    ['request', stopSignal.request],
  ])('ends at once when the parent requests it: %s', (endedBy, value) => {
    const word = new Int32Array(new SharedArrayBuffer(4));
    const work = createStrategyWork({ total: 10, word });
    expect([work.spend(1), work.finishing()]).toEqual([true, false]);
    Atomics.store(word, 0, value);

    expect([work.finishing(), work.spend(1), work.endedBy()]).toEqual([true, false, endedBy]);
  });

  it('comes from the parameter time_limit, and is in the report', async () => {
    const searching = {
      manifest: {
        kind: 'strategy' as const,
        name: 'searching',
        displayName: 'Searching',
        goal: 'dummy',
        description: 'Spends its work.',
        parameters: { type: 'object', properties: { time_limit: { type: 'number', default: 2 } } },
        metrics: [],
        models: [],
        planner: 'resource',
        needsCompleteModel: false,
      },
      async run({ work }: { work: { spend(units: number): boolean } }) {
        while (work.spend(1000));
        const none = { considered: 0, eligible: 0 };
        return {
          actions: [],
          indicators: {},
          report: { hosts: none, instances: none, blocked: [], emptyBecause: 'for tests', notes: [] },
        };
      },
    };
    const snapshot = createTestWorld({ hosts: [{ hostname: 'a' }] });

    const { report } = await runStrategy(searching, { snapshot, work: { start: 1 } });

    expect(report.search).toEqual({ work: 2e6, budget: 2e6, endedBy: 'work', starts: 1, bestStart: 1 });
  });
});
