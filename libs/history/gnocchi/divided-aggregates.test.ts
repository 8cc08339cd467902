import { describe, expect, it } from 'vitest';
import { HistoryRefusedError } from '../history-port.ts';
import { type AggregateCalls, createDividedAggregates, type ResourceChoice } from './divided-aggregates.ts';

const metric = { metric: 'cpu', resourceType: 'instance', kind: 'cpu_time', scale: 1 } as const;

/** A Gnocchi with instances. It refuses requests as Gnocchi does, and counts them. */
function gnocchi(count: number, options: { odd?: (index: number) => boolean; broken?: (index: number) => boolean }) {
  const isOdd = options.odd ?? (() => false);
  const isBroken = options.broken ?? (() => false);
  const ids = Array.from({ length: count }, (_, index) => `i${index}`);
  const indexOf = (id: string) => Number(id.slice(1));
  const counted = { requests: 0 };
  const chosen = ({ only, but }: ResourceChoice) => {
    const left = new Set(but);
    return (only ?? ids).filter((id) => !left.has(id));
  };
  const calls: AggregateCalls<number> = {
    async aggregates(choice) {
      counted.requests += 1;
      const read = chosen(choice);
      if (read.some((id) => isOdd(indexOf(id)))) throw new HistoryRefusedError('gnocchi', 'unknown aggregation');
      if (read.some((id) => isBroken(indexOf(id)))) throw new HistoryRefusedError('gnocchi', 'cannot be aggregated');
      return new Map(read.map((id) => [id, indexOf(id)]));
    },
    async *metricPages() {
      for (let at = 0; at < ids.length; at += 1000) {
        counted.requests += 1;
        yield ids.slice(at, at + 1000).map((id) => ({
          id: `m-${id}`,
          resource_id: id,
          archive_policy: isOdd(indexOf(id))
            ? { name: 'low', aggregation_methods: ['mean'] }
            : { name: 'rate', aggregation_methods: ['mean', 'rate:mean'] },
        }));
      }
    },
    async resourceIds() {
      counted.requests += Math.ceil(ids.length / 1000);
      return ids;
    },
  };
  return { calls, counted };
}

describe('aggregates of resources with different archive policies', () => {
  it('sends at most three times the requests, over ten reads of 5,000 instances of which 1 % differ', async () => {
    const read = createDividedAggregates({ now: () => 0 });
    const { calls, counted } = gnocchi(5000, { odd: (index) => index % 100 === 7 });
    for (let turn = 0; turn < 10; turn += 1)
      expect(await read(metric, 'rate:mean', calls)).toHaveProperty('size', 4950);

    const plain = gnocchi(5000, {});
    for (let turn = 0; turn < 10; turn += 1) await read(metric, 'mean', plain.calls);
    expect(plain.counted.requests).toBe(10);
    expect(counted.requests).toBeLessThanOrEqual(3 * plain.counted.requests);
  });

  it('halves down to the refused resources that no policy explains, and then skips them', async () => {
    const read = createDividedAggregates({ now: () => 0 });
    const { calls, counted } = gnocchi(3000, { broken: (index) => index === 5 || index === 2999 });
    expect(await read(metric, 'rate:mean', calls)).toHaveProperty('size', 2998);
    expect(counted.requests).toBeLessThan(100);

    const before = counted.requests;
    expect(await read(metric, 'rate:mean', calls)).toHaveProperty('size', 2998);
    expect(counted.requests - before).toBe(1);
  });

  it('reads the archive policies again after an hour', async () => {
    let now = 0;
    const read = createDividedAggregates({ now: () => now });
    let odd = true;
    const { calls } = gnocchi(10, { odd: (index) => odd && index === 3 });
    expect((await read(metric, 'rate:mean', calls)).has('i3')).toBe(false);

    odd = false;
    now = 3_600_000;
    expect((await read(metric, 'rate:mean', calls)).has('i3')).toBe(true);
  });

  it('stops early when Gnocchi refuses every aggregate', async () => {
    const read = createDividedAggregates({ now: () => 0 });
    const { calls, counted } = gnocchi(1000, { broken: () => true });
    await expect(read(metric, 'rate:mean', calls)).rejects.toThrow(HistoryRefusedError);
    expect(counted.requests).toBeLessThan(10);
  });
});
