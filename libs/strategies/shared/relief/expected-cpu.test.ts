import { describe, expect, it } from 'vitest';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { createExpectedCpu } from './expected-cpu.ts';

const count = 12;

/** Two hosts. The first has so many instances of 4 vcpus, with loads by sample and row. */
function expectedOf(instances: number, load: (sample: number, row: number) => number, known = count) {
  const snapshot = createTestWorld({
    hosts: [{ hostname: 'a' }, { hostname: 'b' }],
    instances: Array.from({ length: instances }, (_, row) => ({ name: `i${row}`, host: 'a', vcpus: 4 })),
  });
  const samples = Array.from({ length: count }, (_, sample) =>
    Float64Array.from({ length: instances }, (_row, row) => (sample < known ? load(sample, row) : Number.NaN)),
  );
  return createExpectedCpu(snapshot, new Float64Array(instances).fill(1), samples, 'p95');
}

describe('expected CPU load', () => {
  it('is the sum where loads stand still', () => {
    expect(expectedOf(5, () => 2).level(0)).toBeCloseTo(10);
  });

  it('is less than the sum of the percentiles where loads vary independently of each other', () => {
    // Each instance is at 3 in another sample, and at 1 otherwise. The p95 of each is near 3.
    const level = expectedOf(12, (sample, row) => (sample === row ? 3 : 1)).level(0);
    expect(level).toBeGreaterThan(14);
    expect(level).toBeLessThan(20);
  });

  it('sees loads that rise together', () => {
    const apart = expectedOf(12, (sample, row) => (sample === row ? 3 : 1)).level(0);
    const together = expectedOf(12, (sample) => (sample === 0 ? 3 : 1)).level(0);
    expect(together).toBeGreaterThan(apart + 5);
  });

  it('keeps a margin for samples that are missing', () => {
    const levels = [1, 6, 12].map((known) => expectedOf(5, () => 2, known).level(0));
    expect(levels[0]).toBeGreaterThan(levels[1] ?? 0);
    expect(levels[1]).toBeGreaterThan(levels[2] ?? 0);
    expect(levels[2]).toBeCloseTo(10);
  });

  it('has room for bursts of idle instances of which one sample is known', () => {
    // Of 16 idle instances of 4 vcpus, half a one becomes busy.
    expect(expectedOf(16, () => 0, 1).level(0)).toBeGreaterThan(1.9);
  });

  it('counts an instance without a sample by the given use', () => {
    expect(expectedOf(3, (_, row) => (row === 0 ? Number.NaN : 2)).level(0)).toBeCloseTo(5);
  });

  it('follows moves, and foresees them', () => {
    const expected = expectedOf(4, (sample, row) => 1 + ((sample + row) % 3));
    const [before, foreseen] = [expected.level(0), expected.level(1, 2)];
    expected.moved(2, 0, 1);
    expect(expected.level(1)).toBeCloseTo(foreseen);
    expect(expected.samples(1)).toHaveLength(count);
    expected.moved(2, 1, 0);
    expect(expected.level(0)).toBeCloseTo(before);
    expect(expected.level(1)).toBeCloseTo(0);
  });
});
